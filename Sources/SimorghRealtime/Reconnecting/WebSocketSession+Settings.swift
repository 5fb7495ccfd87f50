// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
package import SimorghNetwork
package import SimorghSupport

extension WebSocketSession {
    /// Opens one link and reports each pong that arrives on it.
    package typealias Opening =
        @Sendable (_ onPong: @escaping @Sendable () -> Void) async throws(NetworkError) -> any WebSocketChannel

    /// The settings of a session.
    package struct Settings: Sendable {
        package var policy = WebSocketReconnectPolicy.default
        package var sendWhileReconnecting = WebSocketOptions.SendingWhileReconnecting.fail
        /// The timeout of a ping that the caller sent.
        package var pongTimeout = Duration.seconds(10)
        /// The source of network changes.
        package var paths: NetworkReturnWaiter?
        /// The queue for messages in parts; `nil` to deliver complete messages to the observers.
        package var fragmentQueue: FragmentQueue?
        package var time = TimeSource.system
        package var random = RandomSource.system
        /// A callback for changes of the connection.
        package var report: (@Sendable (WebSocketReport.Change, WebSocketError?) -> Void)?
        /// Returns the executor that keeps the calling task on its event loop, if it runs on one.
        package var executor: (@Sendable () -> (any TaskExecutor)?)?

        package init() {}
    }
}
