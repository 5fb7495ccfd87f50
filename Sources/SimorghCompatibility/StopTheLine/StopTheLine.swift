// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// Decides when nothing can go on as it is, and what to do about it, once for all calls: a sign-in that has ended, a
/// service that is being maintained.
///
/// While the action runs no other request is sent; those that come wait, without asking again and again, and go on when
/// it has ended. Requests that were on their way when the line was stopped and come back refused do not start another
/// action: they join the one that runs, or take the result of the one that has just ended.
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
/// Set it as ``/SimorghCompatibility/SimorghCore/APIClient/Configuration/stopTheLine``. It is asked before the plugins' `verify`.
public protocol StopTheLine: Sendable {
    /// Does what the line was stopped for.
    ///
    /// It runs in a task of its own, which goes on while anybody waits for it and is cancelled when nobody does. What it
    /// throws is thrown by all calls that were refused; those that only waited go on.
    ///
    /// - Parameters:
    ///   - client: The client without its line, so that its calls are not held back.
    ///   - response: The response for which the line was stopped.
    ///   - request: The request it answers.
    /// - Returns: What becomes of the refused requests.
    /// - Throws: Whatever went wrong.
    func action(
        with client: APIClient, response: TransportResponse, request: TransportRequest
    ) async throws -> StopTheLineResult

    /// Says what a response means for the line.
    ///
    /// It may look at what is in memory (``/SimorghCore/ResponseBody/collectedBytes``); a body that is still arriving is the
    /// caller's to read.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The request it answers.
    /// - Returns: What to do.
    /// - Throws: Whatever the call is to fail with.
    func verify(response: TransportResponse, request: TransportRequest) async throws -> StopTheLineAction
}

extension APIClient.Configuration {
    private enum StopTheLineKey: UserInfo.Key { static let defaultValue: (any StopTheLine)? = nil }
    private enum IgnoresKey: UserInfo.Key { static let defaultValue = false }
    private enum RepeatsKey: UserInfo.Key { static let defaultValue = 10 }

    /// Decides when no call can go on, and what to do about it, once for all; `nil` by default.
    public var stopTheLine: (any StopTheLine)? {
        get { compatibility[StopTheLineKey.self] }
        set {
            compatibility[StopTheLineKey.self] = newValue
            addOuterSteps()
        }
    }

    /// Whether calls neither wait for ``stopTheLine`` nor are judged by it; off by default.
    public var shouldIgnoreStopTheLine: Bool {
        get { compatibility[IgnoresKey.self] }
        set { compatibility[IgnoresKey.self] = newValue }
    }

    /// How often ``stopTheLine`` may have one request sent again; 10 times by default.
    ///
    /// After that the call fails with ``/SimorghCompatibility/StopTheLineExhausted``.
    public var maximumStopTheLineRepeats: Int {
        get { compatibility[RepeatsKey.self] }
        set { compatibility[RepeatsKey.self] = newValue }
    }

    /// What the chain asks of the line; `nil` where there is none.
    package var lineRules: LineRules? {
        guard let stopTheLine, !shouldIgnoreStopTheLine else { return nil }
        return LineRules(maximumRepeats: maximumStopTheLineRepeats) { response, request in
            try await stopTheLine.verify(response: response, request: request)
        } act: { response, request in
            guard let owner = request.options.call?.owner as? APIClient else {
                throw TransportError(
                    .unknown, phase: .total,
                    message: "the line was stopped for a request that no client makes")
            }
            let client = owner.with { $0.stopTheLine = nil }
            return try await stopTheLine.action(with: client, response: response, request: request)
        }
    }
}
