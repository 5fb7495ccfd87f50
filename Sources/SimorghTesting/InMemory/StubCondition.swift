// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import SimorghCore
import SimorghSupport

/// Which requests are answered: a value that is put together from smaller ones.
///
/// ```swift
/// .isMethod(.get) && .isHost("api.example.com") && .pathStartsWith("/v1")
/// .path("/users/{id}") && !.hasHeader(.authorization)
/// ```
/// A condition also says why it does not hold, so that a request which matches nothing fails with the nearest one and the
/// reason. Paths are compared as they are sent, without their query; a slash at the end counts.
public struct StubCondition: Sendable, CustomStringConvertible {
    /// The condition as errors name it.
    public let description: String
    package let judge: @Sendable (RecordedRequest) -> Verdict

    package init(_ description: String, _ judge: @escaping @Sendable (RecordedRequest) -> Verdict) {
        self.description = description
        self.judge = judge
    }

    /// Whether a request is meant.
    ///
    /// - Parameter request: The request.
    /// - Returns: Whether it is.
    public func matches(_ request: RecordedRequest) -> Bool { judge(request).isMatch }

    /// Every request.
    public static let any = StubCondition("any request") { _ in .match() }

    /// Requests that a function picks.
    ///
    /// - Parameters:
    ///   - name: What the condition is called in errors.
    ///   - isMeant: Whether a request is meant. It is called from many tasks at once.
    /// - Returns: The condition.
    public static func custom(
        named name: String = "a condition", _ isMeant: @escaping @Sendable (_ request: RecordedRequest) -> Bool
    ) -> StubCondition {
        StubCondition(name) { isMeant($0) ? .match([:], Verdict.Rank(conditions: 1)) : .miss("\(name) does not hold") }
    }

    /// Requests for which both conditions hold.
    public static func && (left: StubCondition, right: StubCondition) -> StubCondition {
        StubCondition("\(left) and \(right)") { left.judge($0).and(right.judge($0)) }
    }

    /// Requests for which one of two conditions holds, or both.
    public static func || (left: StubCondition, right: StubCondition) -> StubCondition {
        StubCondition("(\(left) or \(right))") { request in
            let (left, right) = (left.judge(request), right.judge(request))
            if left.isMatch { return left }
            return right.isMatch || right.closeness > left.closeness ? right : left
        }
    }

    /// Requests for which a condition does not hold.
    public static prefix func ! (condition: StubCondition) -> StubCondition {
        StubCondition("not \(condition)") { request in
            condition.judge(request).isMatch ? .miss("\(condition) holds") : .match()
        }
    }

    /// A text of the request compared with the one that is wanted; of one with a query, the reason hides the values.
    static func text(
        _ name: String, _ wanted: String, _ rank: Verdict.Rank = Verdict.Rank(), hasQuery: Bool = false,
        _ read: @escaping @Sendable (RecordedRequest) -> String
    ) -> StubCondition {
        StubCondition("\(name) \(wanted)") { request in
            let found = read(request)
            if found == wanted { return .match([:], rank) }
            let shown = hasQuery ? request.shownURL : found
            return .miss("the \(name) is \(shown), not \(wanted)", closeness: Verdict.likeness(found, wanted))
        }
    }
}

extension StubCondition {
    /// Requests of a method.
    ///
    /// - Parameter method: The method.
    /// - Returns: The condition.
    public static func isMethod(_ method: HTTPRequest.Method) -> StubCondition {
        text("method", method.rawValue) { $0.method.rawValue }
    }

    /// Requests to a host.
    ///
    /// - Parameter host: The host, in any case, with its port where that is to be compared, too.
    /// - Returns: The condition.
    public static func isHost(_ host: String) -> StubCondition {
        let wanted = host.lowercased()
        let hasPort = wanted.hasPrefix("[") ? wanted.contains("]:") : wanted.contains(":")
        return text("host", wanted) { hasPort ? ($0.head.authority ?? "").lowercased() : $0.host }
    }

    /// Requests of a scheme.
    ///
    /// - Parameter scheme: The scheme, such as `https`.
    /// - Returns: The condition.
    public static func isScheme(_ scheme: String) -> StubCondition {
        text("scheme", scheme.lowercased()) { ($0.head.scheme ?? "http").lowercased() }
    }

    /// Requests to one URL, whole, with its query.
    ///
    /// - Parameter url: The URL as it is sent.
    /// - Returns: The condition.
    public static func isAbsoluteURLString(_ url: String) -> StubCondition {
        text("URL", url, address(url), hasQuery: true) { $0.url }
    }

    /// Requests to one URL, its query and port aside unless they are written.
    ///
    /// - Parameter address: The URL, such as `https://api.example.com/users`.
    /// - Returns: The condition.
    public static func isAddress(_ address: String) -> StubCondition {
        let hasQuery = address.contains("?")
        return text("address", address, Self.address(address), hasQuery: hasQuery) { request in
            hasQuery ? request.url : String(request.url.prefix { $0 != "?" })
        }
    }

    /// Requests of one path.
    ///
    /// - Parameter path: The path, without a query.
    /// - Returns: The condition.
    public static func isPath(_ path: String) -> StubCondition {
        text("path", rooted(path)) { $0.path }
    }

    /// Requests of a path with places in it.
    ///
    /// - Parameter pattern: The path: `{name}` stands for one segment, `*` at the end for the rest.
    /// - Returns: The condition; what stands in the places is in the request's parameters.
    public static func path(_ pattern: String) -> StubCondition {
        let pattern = PathPattern(pattern)
        return StubCondition("path \(pattern)") { pattern.judge($0.path) }
    }

    /// Requests whose path begins so.
    ///
    /// - Parameter beginning: The beginning.
    /// - Returns: The condition.
    public static func pathStartsWith(_ beginning: String) -> StubCondition {
        let beginning = rooted(beginning)
        return StubCondition("path beginning with \(beginning)") { request in
            request.path.hasPrefix(beginning)
                ? .match()
                : .miss(
                    "the path \(request.path) does not begin with \(beginning)",
                    closeness: Verdict.likeness(String(request.path.prefix(beginning.count)), beginning))
        }
    }

    /// Requests whose path ends so.
    ///
    /// - Parameter end: The end.
    /// - Returns: The condition.
    public static func pathEndsWith(_ end: String) -> StubCondition {
        StubCondition("path ending with \(end)") { request in
            request.path.hasSuffix(end)
                ? .match()
                : .miss(
                    "the path \(request.path) does not end with \(end)",
                    closeness: Verdict.likeness(String(request.path.suffix(end.count)), end))
        }
    }

    /// Requests whose path has some segments.
    ///
    /// - Parameters:
    ///   - segments: The segments, unescaped.
    ///   - keepingOrder: Whether they have to come in this order, others between them; off by default.
    /// - Returns: The condition.
    public static func pathContains(_ segments: [String], keepingOrder: Bool = false) -> StubCondition {
        let name = "path containing \(segments.joined(separator: ", "))\(keepingOrder ? " in this order" : "")"
        return StubCondition(name) { request in
            var rest = PathPattern.split(request.path).map { PercentEncoding.decodedText($0) }[...]
            var found = 0
            for segment in segments {
                guard let index = rest.firstIndex(of: segment) else { continue }
                found += 1
                if keepingOrder { rest = rest[(index + 1)...] }
            }
            guard found < segments.count else { return .match() }
            let share = Double(found) / Double(segments.count)
            return .miss("the path \(request.path) is no \(name)", closeness: share)
        }
    }

    /// Requests whose path a regular expression matches whole.
    ///
    /// - Parameter expression: The expression. It is used by many tasks at once, one after the other.
    /// - Returns: The condition.
    public static func pathMatches<Output>(_ expression: sending Regex<Output>) -> StubCondition {
        matches("path", HeldExpression(expression)) { $0.path }
    }

    /// Requests whose URL a regular expression matches whole, its query with it.
    ///
    /// - Parameter expression: The expression. It is used by many tasks at once, one after the other.
    /// - Returns: The condition.
    public static func absoluteStringMatches<Output>(_ expression: sending Regex<Output>) -> StubCondition {
        matches("URL", HeldExpression(expression), hasQuery: true) { $0.url }
    }

    /// Requests with an item in their query.
    ///
    /// - Parameters:
    ///   - name: The item's name, unescaped.
    ///   - value: Its value, unescaped; `nil`, the default, for any.
    /// - Returns: The condition; an error shows no value that came under a name of credentials.
    public static func hasQuery(_ name: String, _ value: String? = nil) -> StubCondition {
        let wanted = value.map { "\(name)=\($0)" } ?? name
        return StubCondition("query with \(wanted)") { request in
            let found = request.query.filter { $0.name == name }.map(\.value)
            if value.map({ found.contains($0) }) ?? !found.isEmpty { return .match([:], Verdict.Rank(conditions: 1)) }
            if found.isEmpty { return .miss("the query has no \(name)") }
            let isSecret = RedactionRules.standard.isSecret(name.utf8, inQuery: true)
            let shown = isSecret ? RedactionRules.mask : found.joined(separator: ", ")
            return .miss("the query's \(name) is \(shown), not \(value ?? "")", closeness: 0.5)
        }
    }

    /// Requests with a header field.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: Its value; `nil`, the default, for any.
    /// - Returns: The condition; an error names the field and never the value that came.
    public static func hasHeader(_ name: HTTPField.Name, _ value: String? = nil) -> StubCondition {
        StubCondition("header \(name.rawName)\(value == nil ? "" : " with a value")") { request in
            guard let found = request.header(name) else { return .miss("there is no \(name.rawName)") }
            return value == nil || value == found
                ? .match([:], Verdict.Rank(conditions: 1)) : .miss("\(name.rawName) has another value", closeness: 0.5)
        }
    }

    private static func matches(
        _ name: String, _ expression: HeldExpression, hasQuery: Bool = false,
        _ read: @escaping @Sendable (RecordedRequest) -> String
    ) -> StubCondition {
        StubCondition("\(name) matching an expression") { request in
            let text = read(request)
            if expression.matches(text) { return .match() }
            return .miss("the expression does not match the \(name) \(hasQuery ? request.shownURL : text)")
        }
    }

    /// The rank of a URL, of which its query is one thing more that is asked.
    private static func address(_ url: String) -> Verdict.Rank { Verdict.Rank(conditions: url.contains("?") ? 1 : 0) }

    private static func rooted(_ path: String) -> String { path.behind(first: "/") != nil ? path : "/\(path)" }
}

extension RecordedRequest {
    /// The host in small letters, without its port.
    package var host: String {
        let authority = (head.authority ?? "").lowercased()
        if authority.hasPrefix("[") { return String(authority.prefix { $0 != "]" }) + "]" }
        return String(authority.prefix { $0 != ":" })
    }
}

extension PathPattern {
    /// What the pattern says of a path.
    package func judge(_ path: String) -> Verdict {
        if let parameters = match(path) { return .match(parameters, rank) }
        return .miss("the path is \(path), not \(self)", closeness: likeness(to: path))
    }

    /// Segment by segment, a place being like anything.
    private func likeness(to path: String) -> Double {
        let (wanted, found) = (Self.split(description), Self.split(path))
        let count = max(wanted.count, found.count)
        let sum = zip(wanted, found).reduce(0.0) { sum, pair in
            pair.0.hasPrefix("{") || pair.0 == "*" ? sum + 1 : sum + Verdict.likeness(String(pair.0), String(pair.1))
        }
        return count == 0 ? 1 : sum / Double(count)
    }
}
