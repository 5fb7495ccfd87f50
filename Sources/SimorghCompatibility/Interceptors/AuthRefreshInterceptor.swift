// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import Synchronization

/// An interceptor that refreshes the value of a header field after the server has rejected it.
///
/// All requests that were rejected with the same value share one refresh, and each of them is sent again once.
///
/// ```swift
/// let refresh = AuthRefreshInterceptor {
///     let token = try await client.call(.post, "token").decode(String.self, at: "token")
///     return "Bearer \(token)"
/// }
/// let signedIn = client.with { $0.interceptors = [refresh.interceptor] }
/// ```
/// Later requests get the new value, even those that still carry the replaced one. A request with an unknown value is
/// sent with that value first and, if it is rejected, with the new one. If the body cannot be sent again, the request
/// keeps its rejected response. A request without a value gets one only at the origin of the client's base URL.
///
/// For tokens, prefer ``/SimorghCore/Authentication/refreshing(_:)``.
public struct AuthRefreshInterceptor: Sendable {
    /// The interceptor.
    public let interceptor: Interceptor

    /// Creates an interceptor that refreshes the value of a header field after the server has rejected it.
    ///
    /// - Parameters:
    ///   - triggeringStatusCodes: The status codes that reject the value. Default: 401.
    ///   - headerField: The header field; with an invalid name, every request fails.
    ///   - refresh: Returns the new value with its scheme, such as `Bearer …`. It runs in a task of its own. Calls that
    ///     it makes with the same client are sent without the value, and a rejection of these starts no further
    ///     refresh. `nil` leaves the rejected responses as they are. If it throws, all waiting calls throw
    ///     ``/SimorghCore/TokenRefreshError``.
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
        let memory = RotatedCredentials()
        var tokens = TokenRefresh(choose: { own, _ in memory.choose(own) }) { old in
            guard let value = try await refresh() else { return .none }
            try HeaderRules.check(value: value, of: headerField)
            memory.replace(old?.value, with: value)
            return .credential(Credential(value))
        }
        tokens.statusCodes = triggeringStatusCodes
        tokens.field = name
        tokens.keepsOwn = false
        tokens.restrictsToBaseURL = true
        tokens.forget = { memory.forget($0?.value) }
        interceptor = .refreshing(tokens, gate: .forRefreshes())
    }
}

/// The newest value of a header field, and the last 32 values that it replaced.
private final class RotatedCredentials: Sendable {
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
