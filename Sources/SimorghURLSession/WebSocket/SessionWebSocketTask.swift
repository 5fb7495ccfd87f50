// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghRealtime
import SimorghSupport

/// The part of `URLSessionWebSocketTask` that a connection uses, so that tests can replace it.
///
/// Its delegate reports the opening, the server's close frame and the completion to a ``SessionWebSocket``. A completion
/// handler passed to this task may be called from any thread, or never: the connection does not rely on it.
package protocol SessionWebSocketTask: AnyObject, Sendable {
    /// The server's response to the upgrade; `nil` before it has arrived.
    var response: HTTPResponse? { get }
    /// The code of the close frame that ended the connection; `nil` without one.
    var closeCode: WebSocketCloseCode? { get }
    /// The reason of the close frame; often empty.
    var closeReason: String { get }

    /// Starts the opening.
    func resume()
    /// Sends a message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - completion: Called when the session has written the message.
    func send(_ message: WebSocketMessage, completion: @escaping @Sendable ((any Error)?) -> Void)
    /// Receives one message.
    ///
    /// - Parameter completion: Called with the message, or with the error that ended the connection.
    func receive(completion: @escaping @Sendable (Result<WebSocketMessage, any Error>) -> Void)
    /// Sends a ping.
    ///
    /// - Parameter onPong: Called when the pong arrives; pongs arrive in the order of the pings.
    func sendPing(onPong: @escaping @Sendable ((any Error)?) -> Void)
    /// Sends a close frame.
    ///
    /// - Parameters:
    ///   - code: The close code.
    ///   - reason: The reason, at most 123 bytes.
    func cancel(with code: WebSocketCloseCode, reason: Data)
    /// Ends the connection without a close frame.
    func cancel()
}
