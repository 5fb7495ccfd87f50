// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport
import Synchronization

/// A rule for giving each POST and PATCH a key, by which the server recognizes a repeated request
/// (draft-ietf-httpapi-idempotency-key-header).
///
/// ```swift
/// let client = APIClient(baseURL: "https://api.example.com").with {
///     $0.retry = RetryPolicy()
///     $0.retry?.idempotencyKey = .automatic()
/// }
/// ```
/// A call makes one random UUID for each method and path that it sends a POST or PATCH to, and uses it for all attempts:
/// retries, replays after an authentication, redirects on the same origin, and late attempts of the offline queue. The
/// next call makes another, even of the same ``Call`` value, and so does each write of a conditional update. A key that the
/// request has stays. No key is sent to another origin; after a redirect to one, the request counts as one without a key.
///
/// Use it only if the server documents such a key: other servers ignore it, and process a repeated request twice.
public struct IdempotencyKey: Sendable, Hashable {
    /// The form of a key in the header field.
    @nonexhaustive
    public enum Format: Sendable, Hashable {
        /// A string of structured fields, in quotation marks, as the draft requires.
        case quoted
        /// The UUID alone, for servers that parse the value as a UUID.
        case plain
    }

    /// The maximum number of methods and paths of a call whose keys are remembered.
    package static let maximumTargets = 16

    /// The name of the header field.
    public let header: String
    /// The form of the keys.
    public let format: Format

    /// Returns the rule that makes a random UUID for each call.
    ///
    /// - Parameters:
    ///   - header: The name of the header field. Every request fails if it is not a valid name.
    ///   - format: The form of the keys. Default: a quoted string, which servers that take any text accept, too.
    /// - Returns: The rule.
    public static func automatic(header: String = "Idempotency-Key", format: Format = .quoted) -> IdempotencyKey {
        IdempotencyKey(header: header, format: format)
    }

    /// Adds the key of the request's call to a POST or PATCH without one.
    package func add(to request: inout TransportRequest) throws(InvalidRequestError) {
        let method = request.head.method
        guard method == .post || method == .patch else { return }
        let name = try HeaderRules.field(name: header, value: "").name
        request.options.call?.idempotency.withLock { $0.name = name }
        guard !request.head.headerFields.contains(name) else { return }
        // Without the query, which may hold a credential that a replay changes.
        let path = request.head.path?.prefix { $0 != "?" } ?? ""
        let target = "\(method) \(request.head.origin)\(path)"
        let key = request.options.call?.idempotency.withLock { $0.key(for: target) } ?? IdempotencyKeys.random()
        var field = HTTPField(name: name, value: format == .quoted ? "\"\(key)\"" : key)
        // A value that never repeats would only displace others from the HPACK table.
        field.indexingStrategy = .disallow
        request.head.headerFields.append(field)
    }
}

/// The idempotency keys of one call.
struct IdempotencyKeys: Sendable {
    /// The field with the keys that the call makes; `nil` if it makes none.
    var name: HTTPField.Name?
    /// True if a request was redirected to another origin without its key: a repetition is processed twice there.
    var isLost = false
    private var keys: [String: String] = [:]

    mutating func key(for target: String) -> String {
        if let key = keys[target] { return key }
        let key = Self.random()
        if keys.count < IdempotencyKey.maximumTargets { keys[target] = key }
        return key
    }

    fileprivate mutating func renew() { (keys, isLost) = ([:], false) }

    static func random() -> String { UUID().uuidString.lowercased() }
}

extension CallContext {
    /// Makes new idempotency keys from now on: the next POST or PATCH is a new request and not another attempt.
    package func renewIdempotencyKeys() { idempotency.withLock { $0.renew() } }
}

extension TransportRequest {
    /// The names of the fields that may hold an idempotency key.
    var idempotencyFields: [HTTPField.Name] {
        guard let name = options.call?.idempotency.withLock({ $0.name }), name != .idempotencyKey else {
            return [.idempotencyKey]
        }
        return [.idempotencyKey, name]
    }

    /// True if every server that receives the request can recognize a repetition by its key.
    var isProtectedByKey: Bool {
        guard idempotencyFields.contains(where: { head.headerFields.contains($0) }) else { return false }
        return options.call?.idempotency.withLock { $0.isLost } != true
    }

    /// Notes that this request was redirected, and that a request without its key was sent instead.
    func noteRedirect(to next: TransportRequest) {
        guard isProtectedByKey, !next.isProtectedByKey,
            !RequestMethod(rawValue: next.head.method.rawValue).isIdempotent
        else { return }
        options.call?.idempotency.withLock { $0.isLost = true }
    }
}
