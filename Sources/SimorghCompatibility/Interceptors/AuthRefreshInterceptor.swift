// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import Synchronization

/// A step that gets a new value for a header field when the old one is refused, once for all requests that were refused
/// with it, and sends each of them again, once.
///
/// ```swift
/// let refresh = AuthRefreshInterceptor {
///     let token = try await client.call(.post, "token").decode(String.self, at: "token")
///     return "Bearer \(token)"
/// }
/// let signedIn = client.with { $0.interceptors = [refresh.interceptor] }
/// ```
/// Later requests get the new value, also those that still bring the replaced one. A request with a value that the step
/// does not know is sent with it, and once that is refused, with the new one. A body that cannot be sent again leaves its
/// request refused. A request that brings no value gets one only at the origin of the client's base URL.
///
/// ``/SimorghCore/Authentication/refreshing(_:)`` is the preferred way to sign in with a token that is renewed.
public struct AuthRefreshInterceptor: Sendable {
    /// The step.
    public let interceptor: Interceptor

    /// Creates a step that gets a new value for a header field when the old one is refused.
    ///
    /// - Parameters:
    ///   - triggeringStatusCodes: The statuses that mean that the value was refused; 401 by default.
    ///   - headerField: The field; a name that no field may have makes every request fail.
    ///   - refresh: Gets the new value, whole: `Bearer …`. It runs in a task of its own; calls that it makes through the
    ///     same client are sent without the value, and their refusal starts no other refresh. `nil` leaves the refused
    ///     requests refused; what it throws, all of them throw as ``/SimorghCore/TokenRefreshFailure``.
    public init(
        triggeringStatusCodes: Set<Int> = [401],
        headerField: String = "Authorization",
        refresh: @escaping @Sendable () async throws -> String?
    ) {
        let name: HTTPField.Name
        do {
            name = try HeaderRules.field(name: headerField, value: "").name
        } catch {
            interceptor = Interceptor { _, _ in throw error }
            return
        }
        let memory = ReplacedValues()
        var tokens = TokenRefresh(choose: { own, _ in memory.choose(own) }) { old in
            guard let value = try await refresh() else { return .none }
            try HeaderRules.check(value: value, of: headerField)
            memory.replace(old?.value, with: value)
            return .credential(Credential(value))
        }
        tokens.statusCodes = triggeringStatusCodes
        tokens.field = name
        tokens.keepsOwn = false
        tokens.holdsToBase = true
        tokens.forget = { memory.forget($0?.value) }
        interceptor = .refreshing(tokens, gate: .forRefreshes())
    }
}

/// The newest value of a field, and the last ones that it replaced.
private final class ReplacedValues: Sendable {
    private static let capacity = 32

    private struct State {
        var current: String?
        var replaced: [String] = []
    }

    private let state = Mutex(State())

    func choose(_ own: String?) -> Credential? {
        let (current, isReplaced) = state.withLock { state in
            (state.current, own.map(state.replaced.contains) ?? true)
        }
        return (isReplaced ? current ?? own : own).map { Credential($0) }
    }

    func replace(_ old: String?, with value: String) {
        state.withLock { $0.current = value }
        forget(old)
    }

    func forget(_ old: String?) {
        guard let old else { return }
        state.withLock { state in
            guard old != state.current, !state.replaced.contains(old) else { return }
            state.replaced.append(old)
            if state.replaced.count > Self.capacity { state.replaced.removeFirst() }
        }
    }
}
