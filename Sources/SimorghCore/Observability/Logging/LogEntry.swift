// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import Logging
import SimorghSupport

/// An entry of the log: a constant message, and the details of the call.
///
/// All secrets are redacted.
package struct LogEntry: Sendable {
    /// The severity of the entry.
    package enum Severity: Sendable, Hashable {
        case usual, failure
    }

    /// The constant name of the event, such as `request`.
    package let message: StaticString
    package var severity = Severity.usual
    /// The time of the event.
    package var date: Date
    /// The id of the call, if any.
    package var call: Int?
    /// The number of the attempt in the call.
    package var attempt: Int?
    package var method: String?
    package var url: String?
    package var status: Int?
    /// Further details by name, in order.
    package var facts: [(name: String, value: String)] = []
    package var headers: [(name: String, value: String)] = []
    package var body: RedactedBody?

    package init(_ message: StaticString, at date: Date) {
        self.message = message
        self.date = date
    }

    /// Everything except the message, for a logger with metadata.
    package var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        if let call { metadata["call"] = "\(call)" }
        if let attempt { metadata["attempt"] = "\(attempt)" }
        if let method { metadata["method"] = "\(method)" }
        if let url { metadata["url"] = "\(url)" }
        if let status { metadata["status"] = "\(status)" }
        for fact in facts { metadata[fact.name] = "\(fact.value)" }
        if !headers.isEmpty {
            metadata["headers"] = .dictionary(
                Dictionary(headers.map { ($0.name, "\($0.value)") }) { .string("\($0), \($1)") })
        }
        if let body { metadata["body"] = "\(body.text)" }
        return metadata
    }
}
