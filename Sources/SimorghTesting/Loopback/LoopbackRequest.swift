// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import NIOCore
import SimorghSupport

/// A request as the routes of a server see it.
package struct LoopbackRequest: Sendable {
    package var method: String
    package var target: Target
    package var isSecure: Bool
    package var origin: String
    package var fields: [(name: String, value: String)]
    package var body = ByteBuffer()
    package var upload: UploadSummary?
    package var parameters: [String: String] = [:]
    package var index = 0
    package let query: [(name: String, value: String)]

    package init(
        method: String, target: String, isSecure: Bool = false, origin: String = "127.0.0.1",
        fields: [(name: String, value: String)] = []
    ) {
        self.method = method
        self.target = Target(target)
        self.isSecure = isSecure
        self.origin = origin
        self.fields = fields
        query = self.target.query.map { FormURLEncoded.parse($0).map { ($0.name, $0.value) } } ?? []
    }

    /// The first value of a field, its name in any case.
    package func field(_ name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name.lowercased() == name }?.value
    }

    /// The first value of a name in the query.
    package func argument(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// A number from the query, held within bounds.
    package func number<Number: LosslessStringConvertible & Comparable>(
        _ name: String, default standard: Number, in bounds: ClosedRange<Number>
    ) -> Number {
        // What is not a number compares with nothing, itself included, and would pass any bound.
        guard let value = argument(name).flatMap(Number.init), value == value else { return standard }
        return min(max(value, bounds.lowerBound), bounds.upperBound)
    }

    /// A number from the path; `nil` where it is none or out of bounds.
    package func parameter<Number: LosslessStringConvertible & Comparable>(
        _ name: String, in bounds: ClosedRange<Number>
    ) -> Number? {
        parameters[name].flatMap(Number.init).flatMap { bounds.contains($0) ? $0 : nil }
    }

    package var url: String {
        let query = target.query.map { "?\($0)" } ?? ""
        return "\(isSecure ? "https" : "http")://\(field("host") ?? "127.0.0.1")\(target.path)\(query)"
    }

    /// The request for a handler of the user's.
    package var recorded: RecordedRequest? {
        guard let method = HTTPRequest.Method(method) else { return nil }
        var head = HTTPRequest(
            method: method, scheme: isSecure ? "https" : "http", authority: field("host"),
            path: target.path + (target.query.map { "?\($0)" } ?? ""))
        for field in fields {
            if field.name.lowercased() != "host", let name = HTTPField.Name(field.name) {
                head.headerFields.append(HTTPField(name: name, value: field.value))
            }
        }
        return RecordedRequest(index: index, head: head, body: Data(body.readableBytesView), parameters: parameters)
    }
}
