// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
package import SimorghNetwork
package import SimorghSupport

extension WebSocketSession {
    /// Opens one link and reports each pong that arrives on it.
    package typealias Opening =
        @Sendable (_ onPong: @escaping @Sendable () -> Void) async throws(NetworkError) -> any WebSocketLink

    /// How a session behaves.
    package struct Settings: Sendable {
        package var policy = WebSocketReconnectPolicy.default
        package var sendWhileReconnecting = WebSocketOptions.SendingWhileReconnecting.fail
        /// How long the answer to a ping may take that somebody asked for.
        package var pongTimeout = Duration.seconds(10)
        /// Who knows whether a way to the network has come back.
        package var paths: PathWatch?
        /// Where messages go in parts, and not to the observers.
        package var desk: WebSocketPartsDesk?
        package var time = TimeSource.system
        package var random = RandomSource.system
        /// Told what happens.
        package var report: (@Sendable (WebSocketReport.Change, WebSocketError?) -> Void)?
        /// Says what keeps the calling task on an event loop, where it is on one.
        package var executor: (@Sendable () -> (any TaskExecutor)?)?

        package init() {}
    }
}
