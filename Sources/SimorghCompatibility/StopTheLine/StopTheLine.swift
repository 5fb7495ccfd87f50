// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A handler for failures that affect all calls, such as an expired session or server maintenance.
///
/// While its action runs, the client sends no other requests: they wait, without polling, and continue when the action
/// has ended. If a request that was already in flight is rejected, it does not start another action: it joins the
/// running one, or takes the result of the one that has just ended.
/// ```swift
/// struct SignInAgain: StopTheLine {
///     func verify(response: TransportResponse, request: TransportRequest) async throws -> StopTheLineAction {
///         response.head.status == .unauthorized ? .stopTheLine : .passOver
///     }
///
///     func action(
///         with client: APIClient, response: TransportResponse, request: TransportRequest
///     ) async throws -> StopTheLineResult {
///         try await client.call(.post, "session").void()
///         return .retry
///     }
/// }
/// ```
/// Set it as ``/SimorghCompatibility/SimorghCore/APIClient/Configuration/stopTheLine``. Its `verify` runs before that
/// of the plugins.
public protocol StopTheLine: Sendable {
    /// Resolves the problem, for example by signing in again.
    ///
    /// It runs in a task of its own, which is cancelled when no call waits for it any more. If it throws, all rejected
    /// calls throw that error; calls that were only held back continue.
    ///
    /// - Parameters:
    ///   - client: A copy of the client without this handler, so that its calls are not held back.
    ///   - response: The response that started the action.
    ///   - request: The request of that response.
    /// - Returns: The decision for the rejected requests.
    /// - Throws: Any error.
    func action(
        with client: APIClient, response: TransportResponse, request: TransportRequest
    ) async throws -> StopTheLineResult

    /// Returns the decision for a response, which may require the action.
    ///
    /// It may read a body that is already in memory (``/SimorghCore/ResponseBody/collectedBytes``). It must not read a
    /// body that is still arriving, which belongs to the caller.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The request of that response.
    /// - Returns: The decision for this response.
    /// - Throws: The error that the call fails with.
    func verify(response: TransportResponse, request: TransportRequest) async throws -> StopTheLineAction
}

extension APIClient.Configuration {
    private enum StopTheLineKey: UserInfo.Key { static let defaultValue: (any StopTheLine)? = nil }
    private enum IgnoresKey: UserInfo.Key { static let defaultValue = false }
    private enum RepeatsKey: UserInfo.Key { static let defaultValue = 10 }

    /// The handler for failures that affect all calls.
    ///
    /// Default: `nil`.
    public var stopTheLine: (any StopTheLine)? {
        get { compatibility[StopTheLineKey.self] }
        set {
            compatibility[StopTheLineKey.self] = newValue
            addOuterSteps()
        }
    }

    /// True if calls ignore ``stopTheLine``: they neither wait for it nor are verified by it.
    ///
    /// Default: false.
    public var shouldIgnoreStopTheLine: Bool {
        get { compatibility[IgnoresKey.self] }
        set { compatibility[IgnoresKey.self] = newValue }
    }

    /// The maximum number of times that ``stopTheLine`` may send one request again.
    ///
    /// Default: 10.
    ///
    /// The call then fails with ``/SimorghCompatibility/StopTheLineExhaustedError``.
    public var maximumStopTheLineRepeats: Int {
        get { compatibility[RepeatsKey.self] }
        set { compatibility[RepeatsKey.self] = newValue }
    }

    /// The callbacks for the interceptor; `nil` if there is no handler.
    package var stopTheLineRules: StopTheLineRules? {
        guard let stopTheLine, !shouldIgnoreStopTheLine else { return nil }
        return StopTheLineRules(maximumRepeats: maximumStopTheLineRepeats) { response, request in
            try await stopTheLine.verify(response: response, request: request)
        } act: { response, request in
            guard let owner = request.options.call?.owner as? APIClient else {
                throw TransportError(
                    .unknown, phase: .total,
                    message: "StopTheLine cannot run its action: the request was not made by an APIClient")
            }
            let client = owner.with { $0.stopTheLine = nil }
            return try await stopTheLine.action(with: client, response: response, request: request)
        }
    }
}
