// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import SimorghCore
import SimorghSupport
import Synchronization

/// A condition on requests, composed of smaller conditions.
///
/// ```swift
/// .isMethod(.get) && .isHost("api.example.com") && .pathStartsWith("/v1")
/// .path("/users/{id}") && !.hasHeader(.authorization)
/// ```
/// A condition also reports why it does not match. A request without a stub fails with the nearest condition and the
/// reason. Paths are compared in their encoded form without the query; a trailing slash is significant.
public struct StubCondition: Sendable, CustomStringConvertible {
    /// The condition's name in errors.
    public let description: String
    package let evaluate: @Sendable (RecordedRequest) -> MatchResult

    package init(_ description: String, evaluate: @escaping @Sendable (RecordedRequest) -> MatchResult) {
        self.description = description
        self.evaluate = evaluate
    }

    /// Returns true if a request matches.
    ///
    /// - Parameter request: The request.
    /// - Returns: True if it matches.
    public func matches(_ request: RecordedRequest) -> Bool { evaluate(request).isMatch }

    /// A condition that matches every request.
    public static let any = StubCondition("any request") { _ in .match() }

    /// Returns a condition that a function decides.
    ///
    /// - Parameters:
    ///   - name: The name of the condition in errors.
    ///   - predicate: Returns true for a request that matches. It is called from many tasks concurrently.
    /// - Returns: The condition.
    public static func custom(
        named name: String = "a condition", _ predicate: @escaping @Sendable (_ request: RecordedRequest) -> Bool
    ) -> StubCondition {
        StubCondition(name) {
            predicate($0) ? .match([:], rank: MatchResult.Rank(conditions: 1)) : .miss("\(name) does not hold")
        }
    }

    /// Returns a condition that matches if both conditions match.
    public static func && (left: StubCondition, right: StubCondition) -> StubCondition {
        StubCondition("\(left) and \(right)") { left.evaluate($0).and(right.evaluate($0)) }
    }

    /// Returns a condition that matches if at least one of two conditions matches.
    public static func || (left: StubCondition, right: StubCondition) -> StubCondition {
        StubCondition("(\(left) or \(right))") { request in
            let (left, right) = (left.evaluate(request), right.evaluate(request))
            if left.isMatch { return left }
            return right.isMatch || right.closeness > left.closeness ? right : left
        }
    }

    /// Returns a condition that matches if the other one does not.
    public static prefix func ! (condition: StubCondition) -> StubCondition {
        StubCondition("not \(condition)") { request in
            condition.evaluate(request).isMatch ? .miss("\(condition) holds") : .match()
        }
    }

    /// Compares a part of the request with the expected text.
    ///
    /// If it has a query, the mismatch reason hides the values.
    static func text(
        _ name: String, is wanted: String, rank: MatchResult.Rank = MatchResult.Rank(), hasQuery: Bool = false,
        read: @escaping @Sendable (RecordedRequest) -> String
    ) -> StubCondition {
        StubCondition("\(name) \(wanted)") { request in
            let found = read(request)
            if found == wanted { return .match([:], rank: rank) }
            let shown = hasQuery ? request.shownURL : found
            return .miss(
                "the \(name) is \(shown), not \(wanted)", closeness: MatchResult.similarity(of: found, to: wanted))
        }
    }
}

extension StubCondition {
    /// Returns a condition on the method.
    ///
    /// - Parameter method: The method.
    /// - Returns: The condition.
    public static func isMethod(_ method: HTTPRequest.Method) -> StubCondition {
        text("method", is: method.rawValue) { $0.method.rawValue }
    }

    /// Returns a condition on the host.
    ///
    /// - Parameter host: The host, case-insensitive. The port is compared only if it is given.
    /// - Returns: The condition.
    public static func isHost(_ host: String) -> StubCondition {
        let wanted = host.lowercased()
        let hasPort = wanted.hasPrefix("[") ? wanted.contains("]:") : wanted.contains(":")
        return text("host", is: wanted) { hasPort ? ($0.head.authority ?? "").lowercased() : $0.host }
    }

    /// Returns a condition on the scheme.
    ///
    /// - Parameter scheme: The scheme, such as `https`.
    /// - Returns: The condition.
    public static func isScheme(_ scheme: String) -> StubCondition {
        text("scheme", is: scheme.lowercased()) { ($0.head.scheme ?? "http").lowercased() }
    }

    /// Returns a condition on the whole URL with its query.
    ///
    /// - Parameter url: The URL in its encoded form.
    /// - Returns: The condition.
    public static func isAbsoluteURLString(_ url: String) -> StubCondition {
        text("URL", is: url, rank: address(url), hasQuery: true) { $0.url }
    }

    /// Returns a condition on the URL.
    ///
    /// The query and the port are compared only if they are given.
    ///
    /// - Parameter address: The URL, such as `https://api.example.com/users`.
    /// - Returns: The condition.
    public static func isAddress(_ address: String) -> StubCondition {
        let hasQuery = address.contains("?")
        return text("address", is: address, rank: Self.address(address), hasQuery: hasQuery) { request in
            hasQuery ? request.url : String(request.url.prefix { $0 != "?" })
        }
    }

    /// Returns a condition on the exact path.
    ///
    /// - Parameter path: The path, without a query.
    /// - Returns: The condition.
    public static func isPath(_ path: String) -> StubCondition {
        text("path", is: rooted(path)) { $0.path }
    }

    /// Returns a condition on the path by a pattern.
    ///
    /// - Parameter pattern: The pattern: `{name}` matches one segment, a final `*` matches the rest.
    /// - Returns: The condition. The matched segments are in the request's parameters.
    public static func path(_ pattern: String) -> StubCondition {
        let pattern = PathPattern(pattern)
        return StubCondition("path \(pattern)") { pattern.evaluate($0.path) }
    }

    /// Returns a condition on the beginning of the path.
    ///
    /// - Parameter beginning: The prefix.
    /// - Returns: The condition.
    public static func pathStartsWith(_ beginning: String) -> StubCondition {
        let beginning = rooted(beginning)
        return StubCondition("path beginning with \(beginning)") { request in
            request.path.hasPrefix(beginning)
                ? .match()
                : .miss(
                    "the path \(request.path) does not begin with \(beginning)",
                    closeness: MatchResult.similarity(of: String(request.path.prefix(beginning.count)), to: beginning))
        }
    }

    /// Returns a condition on the end of the path.
    ///
    /// - Parameter end: The suffix.
    /// - Returns: The condition.
    public static func pathEndsWith(_ end: String) -> StubCondition {
        StubCondition("path ending with \(end)") { request in
            request.path.hasSuffix(end)
                ? .match()
                : .miss(
                    "the path \(request.path) does not end with \(end)",
                    closeness: MatchResult.similarity(of: String(request.path.suffix(end.count)), to: end))
        }
    }

    /// Returns a condition on segments of the path.
    ///
    /// - Parameters:
    ///   - segments: The segments, unescaped.
    ///   - keepingOrder: True if they have to occur in this order, with others in between; false by default.
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
            return .miss("the path \(request.path) is not a \(name)", closeness: share)
        }
    }

    /// Returns a condition that matches the whole path against a regular expression.
    ///
    /// - Parameter expression: The expression. Tasks use it one at a time.
    /// - Returns: The condition.
    public static func pathMatches<Output>(_ expression: sending Regex<Output>) -> StubCondition {
        matches("path", expression: SharedRegex(expression)) { $0.path }
    }

    /// Returns a condition that matches the whole URL with its query against a regular expression.
    ///
    /// - Parameter expression: The expression. Tasks use it one at a time.
    /// - Returns: The condition.
    public static func absoluteStringMatches<Output>(_ expression: sending Regex<Output>) -> StubCondition {
        matches("URL", expression: SharedRegex(expression), hasQuery: true) { $0.url }
    }

    /// Returns a condition on a query item.
    ///
    /// - Parameters:
    ///   - name: The item's name, unescaped.
    ///   - value: Its value, unescaped; `nil`, the default, matches any value.
    /// - Returns: The condition. Errors hide the values of sensitive names.
    public static func hasQuery(_ name: String, value: String? = nil) -> StubCondition {
        let wanted = value.map { "\(name)=\($0)" } ?? name
        return StubCondition("query with \(wanted)") { request in
            let found = request.query.filter { $0.name == name }.map(\.value)
            if value.map({ found.contains($0) }) ?? !found.isEmpty {
                return .match([:], rank: MatchResult.Rank(conditions: 1))
            }
            if found.isEmpty { return .miss("the query has no \(name)") }
            let isSecret = RedactionRules.standard.isSecret(name.utf8, inQuery: true)
            let shown = isSecret ? RedactionRules.mask : found.joined(separator: ", ")
            return .miss("the query's \(name) is \(shown), not \(value ?? "")", closeness: 0.5)
        }
    }

    /// Returns a condition on a header field.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: Its value; `nil`, the default, matches any value.
    /// - Returns: The condition. Errors name the field, but never the received value.
    public static func hasHeader(_ name: HTTPField.Name, value: String? = nil) -> StubCondition {
        StubCondition("header \(name.rawName)\(value == nil ? "" : " with a value")") { request in
            guard let found = request.header(name) else { return .miss("there is no \(name.rawName)") }
            return value == nil || value == found
                ? .match([:], rank: MatchResult.Rank(conditions: 1))
                : .miss("\(name.rawName) has another value", closeness: 0.5)
        }
    }

    private static func matches(
        _ name: String, expression: SharedRegex, hasQuery: Bool = false,
        read: @escaping @Sendable (RecordedRequest) -> String
    ) -> StubCondition {
        StubCondition("\(name) matching an expression") { request in
            let text = read(request)
            if expression.matches(text) { return .match() }
            return .miss("the expression does not match the \(name) \(hasQuery ? request.shownURL : text)")
        }
    }

    /// Returns the rank of a URL; its query counts as one more condition.
    private static func address(_ url: String) -> MatchResult.Rank {
        MatchResult.Rank(conditions: url.contains("?") ? 1 : 0)
    }

    private static func rooted(_ path: String) -> String { path.behind(first: "/") != nil ? path : "/\(path)" }
}

extension RecordedRequest {
    /// The host in lower case, without its port.
    package var host: String {
        let authority = (head.authority ?? "").lowercased()
        if authority.hasPrefix("[") { return String(authority.prefix { $0 != "]" }) + "]" }
        return String(authority.prefix { $0 != ":" })
    }
}

extension PathPattern {
    /// Matches a path against the pattern.
    package func evaluate(_ path: String) -> MatchResult {
        if let parameters = match(path) { return .match(parameters, rank: rank) }
        return .miss("the path is \(path), not \(self)", closeness: similarity(to: path))
    }

    /// Returns the similarity segment by segment; a placeholder matches any segment.
    private func similarity(to path: String) -> Double {
        let (wanted, found) = (Self.split(description), Self.split(path))
        let count = max(wanted.count, found.count)
        let sum = zip(wanted, found).reduce(0.0) { sum, pair in
            pair.0.hasPrefix("{") || pair.0 == "*"
                ? sum + 1 : sum + MatchResult.similarity(of: String(pair.0), to: String(pair.1))
        }
        return count == 0 ? 1 : sum / Double(count)
    }
}

/// A regular expression that tasks share and use one at a time: `Regex` is not `Sendable`.
package final class SharedRegex: Sendable {
    /// A struct, because a bare function in a lock would be wrapped again on each access.
    private struct Matcher {
        let isWhole: (String) -> Bool
    }

    private let matcher: Mutex<Matcher>

    package init<Output>(_ expression: sending Regex<Output>) {
        matcher = Mutex(Matcher { text in (try? expression.wholeMatch(in: text)) != nil })
    }

    package func matches(_ text: String) -> Bool { matcher.withLock { $0.isWhole(text) } }
}
