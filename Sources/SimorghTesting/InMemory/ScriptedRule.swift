// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghCore

/// A condition on requests, and the responses to them.
package struct ScriptedRule: Sendable, CustomStringConvertible {
    package enum Answers: Sendable {
        case handler(StubServer.Handler)
        case queue(ArraySlice<StubResponse>)
        /// One response for all requests. Its fault may be needed before the request has arrived completely.
        case always(StubResponse)
    }

    package let name: String
    package let condition: StubCondition
    package private(set) var answers: Answers

    package init(_ condition: StubCondition, named name: String? = nil, answers: Answers) {
        self.name = name ?? condition.description
        self.condition = condition
        self.answers = answers
    }

    package init(method: HTTPRequest.Method?, path: String, answers: Answers) {
        let (origin, path) = Self.originAndPath(path)
        var condition = StubCondition.path(path)
        if let origin { condition = Self.isOrigin(origin) && condition }
        if let method { condition = .isMethod(method) && condition }
        self.init(condition, named: "\(method?.rawValue ?? "*") \(origin ?? "")\(path)", answers: answers)
    }

    package var description: String {
        guard case .queue(let rest) = answers else { return name }
        return rest.isEmpty ? "\(name) (used up)" : "\(name) (\(rest.count) left)"
    }

    /// The next response of the rule, if it is known before the request has arrived completely.
    package var expectedResponse: StubResponse? {
        switch answers {
        case .handler: nil
        case .always(let answer): answer
        case .queue(let rest): rest.first
        }
    }

    package mutating func takeNext() -> StubResponse? {
        guard case .queue(var rest) = answers, let answer = rest.popFirst() else { return nil }
        answers = .queue(rest)
        return answer
    }

    private static func isOrigin(_ origin: String) -> StubCondition {
        .text("origin", is: origin) { "\($0.head.scheme ?? "")://\($0.head.authority ?? "")" }
    }

    /// Splits `https://host:8080/a` after its authority.
    ///
    /// Text without a scheme is a path.
    private static func originAndPath(_ text: String) -> (origin: String?, path: String) {
        guard text.hasPrefix("http://") || text.hasPrefix("https://") else { return (nil, text) }
        let parts = text.cut(at: "/", atMost: 3)
        let origin = parts.prefix(3).joined(separator: "/")
        return (origin, parts.count == 4 ? "/\(parts[3])" : "/")
    }
}
