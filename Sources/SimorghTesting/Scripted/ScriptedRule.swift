// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// Which requests a scripted transport answers, and with what.
package struct ScriptedRule: Sendable, CustomStringConvertible {
    package enum Answers: Sendable {
        case handler(ScriptedTransport.Handler)
        case queue(ArraySlice<StubResponse>)
    }

    package let name: String
    /// What stands in the pattern's places, or `nil` for a request that is not meant.
    package let matches: @Sendable (RecordedRequest) -> [String: String]?
    package private(set) var answers: Answers

    package init(
        name: String,
        matches: @escaping @Sendable (RecordedRequest) -> [String: String]?,
        answers: Answers
    ) {
        self.name = name
        self.matches = matches
        self.answers = answers
    }

    package init(method: HTTPRequest.Method?, path: String, answers: Answers) {
        let (origin, path) = Self.originAndPath(path)
        let pattern = PathPattern(path)
        self.init(
            name: "\(method?.rawValue ?? "*") \(origin ?? "")\(path)",
            matches: { request in
                if let method, request.method != method { return nil }
                if let origin, "\(request.head.scheme ?? "")://\(request.head.authority ?? "")" != origin { return nil }
                return pattern.match(request.path)
            },
            answers: answers
        )
    }

    package var description: String {
        guard case .queue(let rest) = answers else { return name }
        return rest.isEmpty ? "\(name) (used up)" : "\(name) (\(rest.count) left)"
    }

    package mutating func takeNext() -> StubResponse? {
        guard case .queue(var rest) = answers, let answer = rest.popFirst() else { return nil }
        answers = .queue(rest)
        return answer
    }

    /// Cuts `https://host:8080/a` after its authority; a text without a scheme is all path.
    private static func originAndPath(_ text: String) -> (origin: String?, path: String) {
        guard text.hasPrefix("http://") || text.hasPrefix("https://") else { return (nil, text) }
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let origin = parts.prefix(3).joined(separator: "/")
        return (origin, parts.count == 4 ? "/\(parts[3])" : "/")
    }
}
