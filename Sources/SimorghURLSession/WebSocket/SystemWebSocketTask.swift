// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghRealtime

// Translates, and decides nothing. FoundationNetworking has the same declarations, so that Linux compiles this file, too.

/// A `URLSessionWebSocketTask` as a ``SessionWebSocketTask``.
final class SystemWebSocketTask: SessionWebSocketTask {
    private let task: URLSessionWebSocketTask

    init(_ task: URLSessionWebSocketTask) { self.task = task }

    var identifier: Int { task.taskIdentifier }
    var response: HTTPResponse? { task.response.flatMap { HTTPResponse($0) } }
    var closeCode: WebSocketCloseCode? { WebSocketCloseCode(task.closeCode) }
    var closeReason: String { String(decoding: task.closeReason ?? Data(), as: UTF8.self) }

    func resume() { task.resume() }

    func send(_ message: WebSocketMessage, completion: @escaping @Sendable ((any Error)?) -> Void) {
        task.send(message.ofSession, completionHandler: completion)
    }

    func receive(completion: @escaping @Sendable (Result<WebSocketMessage, any Error>) -> Void) {
        task.receive { result in
            completion(
                result.flatMap { message in
                    WebSocketMessage(message).map { .success($0) } ?? .failure(URLError(.cannotParseResponse))
                })
        }
    }

    func sendPing(onPong: @escaping @Sendable ((any Error)?) -> Void) { task.sendPing(pongReceiveHandler: onPong) }

    func cancel(with code: WebSocketCloseCode, reason: Data) { task.cancel(with: code.ofSession, reason: reason) }

    func cancel() { task.cancel() }
}

extension SessionOwner {
    /// Creates a WebSocket task, which reports its events to a WebSocket.
    ///
    /// - Parameters:
    ///   - request: The request, with the scheme `ws` or `wss`.
    ///   - options: The options of the connection.
    ///   - socket: The WebSocket.
    /// - Returns: The task, which has not started.
    /// - Throws: An error if Foundation cannot parse the URL.
    func webSocketTask(
        _ request: TransportRequest, options: WebSocketChannelOptions, reportingTo socket: SessionWebSocket
    ) throws(TransportError) -> SystemWebSocketTask {
        // A connection may be silent for long: its pings have a timeout.
        var outgoing = try URLRequest(exchange: request.head, timeout: SessionCapabilities.longestTimeout)
        outgoing.apply(request.options)
        let task = session.webSocketTask(with: outgoing)
        task.priority = request.options.priority.ofTask
        task.maximumMessageSize = options.maximumMessageSize
        delegate.add(socket, for: task)
        return SystemWebSocketTask(task)
    }
}

extension SessionDelegate: URLSessionWebSocketDelegate {
    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
    ) {
        webSockets[webSocketTask.taskIdentifier]?.opened(subprotocol: `protocol`)
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
        webSockets[webSocketTask.taskIdentifier]?.closed(
            WebSocketCloseCode(closeCode), reason: String(decoding: reason ?? Data(), as: UTF8.self))
    }
}

extension WebSocketMessage {
    /// Creates a message from that of a session; `nil` for a kind that a later system has.
    fileprivate init?(_ message: URLSessionWebSocketTask.Message) {
        if case .string(let text) = message {
            self = .text(text)
        } else if case .data(let data) = message {
            self = .data(data)
        } else {
            return nil
        }
    }

    fileprivate var ofSession: URLSessionWebSocketTask.Message {
        switch self {
        case .text(let text): .string(text)
        case .data(let data): .data(data)
        }
    }
}

extension WebSocketCloseCode {
    /// Creates a code from that of a session; `nil` if the session has seen no close frame.
    fileprivate init?(_ code: URLSessionWebSocketTask.CloseCode) {
        guard code != .invalid else { return nil }
        self.init(rawValue: UInt16(clamping: code.rawValue))
    }

    fileprivate var ofSession: URLSessionWebSocketTask.CloseCode { .init(rawValue: Int(rawValue)) ?? .normalClosure }
}
