// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghTesting
import SimorghURLSession
import Synchronization
import TestSupport
import Testing

/// A WebSocket task whose callbacks a test calls, or does not call.
final class ScriptedWebSocketTask: SessionWebSocketTask {
    enum Call: Sendable, Hashable {
        case resume, receive, ping, cancel
        case send(WebSocketMessage)
        case close(WebSocketCloseCode, String)
    }

    private struct State {
        var calls: [Call] = []
        var sends: [@Sendable ((any Error)?) -> Void] = []
        var receives: [@Sendable (Result<WebSocketMessage, any Error>) -> Void] = []
        var pongs: [@Sendable ((any Error)?) -> Void] = []
        var response: HTTPResponse?
        var closeCode: WebSocketCloseCode?
        var closeReason = ""
    }

    private let state = Mutex(State())

    var calls: [Call] { state.withLock { $0.calls } }
    var response: HTTPResponse? { state.withLock { $0.response } }
    var closeCode: WebSocketCloseCode? { state.withLock { $0.closeCode } }
    var closeReason: String { state.withLock { $0.closeReason } }

    func set(response: HTTPResponse? = nil, closeCode: WebSocketCloseCode? = nil, reason: String = "") {
        state.withLock { ($0.response, $0.closeCode, $0.closeReason) = (response, closeCode, reason) }
    }

    func resume() { state.withLock { $0.calls.append(.resume) } }

    func send(_ message: WebSocketMessage, completion: @escaping @Sendable ((any Error)?) -> Void) {
        state.withLock { state in
            state.calls.append(.send(message))
            state.sends.append(completion)
        }
    }

    func receive(completion: @escaping @Sendable (Result<WebSocketMessage, any Error>) -> Void) {
        state.withLock { state in
            state.calls.append(.receive)
            state.receives.append(completion)
        }
    }

    func sendPing(onPong: @escaping @Sendable ((any Error)?) -> Void) {
        state.withLock { state in
            state.calls.append(.ping)
            state.pongs.append(onPong)
        }
    }

    func cancel(with code: WebSocketCloseCode, reason: Data) {
        state.withLock { $0.calls.append(.close(code, String(decoding: reason, as: UTF8.self))) }
    }

    func cancel() { state.withLock { $0.calls.append(.cancel) } }

    /// Waits until the connection has made a call a number of times.
    func called(_ call: Call, times: Int = 1) async throws {
        try await eventually { calls.count { $0 == call } >= times }
    }

    /// Calls back the oldest `receive`.
    func deliver(_ result: Result<WebSocketMessage, any Error>) async throws {
        try await eventually { state.withLock { !$0.receives.isEmpty } }
        state.withLock { $0.receives.removeFirst() }(result)
    }

    /// Calls back the oldest `send`.
    func complete(_ error: (any Error)? = nil) async throws {
        try await eventually { state.withLock { !$0.sends.isEmpty } }
        state.withLock { $0.sends.removeFirst() }(error)
    }

    /// Calls back the oldest ping.
    func pong(_ error: (any Error)? = nil) async throws {
        try await eventually { state.withLock { !$0.pongs.isEmpty } }
        state.withLock { $0.pongs.removeFirst() }(error)
    }
}

/// A WebSocket over a scripted task and a test clock.
struct ScriptedSessionWebSocket {
    let task = ScriptedWebSocketTask()
    let clock = TestClock()
    let socket: SessionWebSocket
    let ends = LockedValue(0)

    init(
        _ change: (inout WebSocketChannelOptions) -> Void = { _ in },
        request changeRequest: (inout TransportRequest) -> Void = { _ in }
    ) throws {
        var options = WebSocketChannelOptions()
        options.pingInterval = nil
        change(&options)
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "wss", authority: "a.example", path: "/"))
        changeRequest(&request)
        socket = SessionWebSocket(
            try SessionWebSocketUpgrade(request, options: options), options: options, time: clock.timeSource)
    }

    /// Starts the opening.
    func begin() -> Task<WebSocketOpenResult, any Error> {
        Task { [socket, task, ends] in
            try await socket.open(over: task) { ends.change { $0 += 1 } }
        }
    }

    /// Returns the open connection.
    func open(subprotocol: String? = nil) async throws -> any WebSocketChannel {
        let opening = begin()
        try await task.called(.resume)
        socket.opened(subprotocol: subprotocol)
        guard case .opened(let channel) = try await opening.value else { throw CancellationError() }
        return channel
    }
}

/// Runs a closure that must throw a TransportError, and returns the error.
func transportFailure(_ body: () async throws -> some Any) async -> TransportError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? TransportError
    }
}
