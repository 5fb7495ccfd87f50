// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import Logging
import SimorghSupport

/// One thing that the log tells: a message that never changes, and what belongs to this call.
///
/// No secret is in it any more.
package struct LogEntry: Sendable {
    /// How grave it is.
    package enum Gravity: Sendable, Hashable {
        case usual, failure
    }

    /// What happened, in words that are the same each time, such as `request`.
    package let message: StaticString
    package var gravity = Gravity.usual
    /// When it was told.
    package var date: Date
    /// The call's number, where there is a call.
    package var call: Int?
    /// Which attempt of the call it is about.
    package var attempt: Int?
    package var method: String?
    package var url: String?
    package var status: Int?
    /// What else there is to tell, by name, in its order.
    package var facts: [(name: String, value: String)] = []
    package var headers: [(name: String, value: String)] = []
    package var body: ShownBody?

    package init(_ message: StaticString, at date: Date) {
        self.message = message
        self.date = date
    }

    /// All but the message, for a logger that takes data beside it.
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
