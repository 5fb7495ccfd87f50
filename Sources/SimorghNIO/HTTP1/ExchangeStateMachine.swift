// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghRealtime

/// A state machine for one HTTP/1.1 exchange on a connection, without any I/O.
///
/// The parser finds heads, bodies and ends. This machine decides what they mean: what is delivered, whether the
/// connection can carry another exchange, and what the end of the connection means.
package struct ExchangeStateMachine: Sendable {
    package typealias Shape = ResponseShape

    package enum HeadAction: Equatable, Sendable {
        /// An interim response: the final one follows.
        case skip
        /// The final response.
        ///
        /// If it is not a success, a running upload is stopped, because the server has already decided. A success may
        /// be sent while the server still reads, as an echo does; then the upload continues.
        case deliver(stopsUpload: Bool)
        /// Not a valid response to the request.
        case refuse(String)
    }

    package enum EndAction: Equatable, Sendable {
        /// The response is complete.
        case complete(reuse: Bool)
        /// The body was truncated.
        case truncated
        case ignore
    }

    package enum LossAction: Equatable, Sendable {
        /// There was no exchange, or it has ended.
        case none
        /// No byte of a response arrived on a connection that had been idle: most likely the server closed it before
        /// it received the request.
        case stale
        /// The connection ended before the end of the head.
        case withoutHead(anyByte: Bool)
        /// The connection ended within the body.
        case truncated
    }

    private enum Progress: Equatable {
        case none
        case waitingForHead(anyByte: Bool)
        case body(Shape)
    }

    /// The maximum number of interim responses; more are treated as an attack.
    package static var maximumInterimResponses: Int { ResponseParser.maximumInterimResponses }

    private var progress = Progress.none
    private var isUploading = false
    private var isIdleConnection = false
    private var interim = 0
    private var wantsClose = false
    /// True if TLS ended without close_notify: an attacker on the path may have cut the connection.
    private var isCut = false

    package init() {}

    package var isRunning: Bool { progress != .none }

    package var isWaitingForHead: Bool {
        if case .waitingForHead = progress { return true }
        return false
    }

    /// Records that a request is sent.
    ///
    /// - Parameters:
    ///   - hasUpload: True if more of the request follows the first write.
    ///   - isIdleConnection: True if the connection had been idle.
    ///   - wantsClose: True if the request asks the server to close the connection.
    package mutating func began(hasUpload: Bool, isIdleConnection: Bool, wantsClose: Bool) {
        progress = .waitingForHead(anyByte: false)
        isUploading = hasUpload
        self.isIdleConnection = isIdleConnection
        self.wantsClose = wantsClose
        interim = 0
    }

    /// Records that the last byte of the request was written.
    package mutating func uploaded() { isUploading = false }

    /// Records that bytes of a response arrived.
    package mutating func receivedBytes() {
        if case .waitingForHead(anyByte: false) = progress { progress = .waitingForHead(anyByte: true) }
    }

    package mutating func received(head: Shape) -> HeadAction {
        guard case .waitingForHead = progress else { return .refuse("the server sent an unexpected response head") }
        guard head.status != 101 else { return .refuse("the server switched protocols (101) without being asked") }
        guard (100...999).contains(head.status) else { return .refuse("the status code \(head.status) is invalid") }
        if head.status < 200 {
            interim += 1
            guard interim <= Self.maximumInterimResponses else {
                return .refuse("the server sent too many interim responses")
            }
            return .skip
        }
        progress = .body(head)
        return .deliver(stopsUpload: isUploading && head.status >= 300)
    }

    package mutating func receivedEnd() -> EndAction {
        guard case .body(let shape) = progress else { return .ignore }
        progress = .none
        if shape.isUntilClose && isCut { return .truncated }
        return .complete(reuse: shape.keepsAlive && !shape.isUntilClose && !isUploading && !wantsClose && !isCut)
    }

    /// Records that TLS ended without close_notify; the end of the connection follows.
    package mutating func tlsTruncated() { isCut = true }

    /// Records that the connection ended or failed.
    package mutating func lost() -> LossAction {
        defer { progress = .none }
        switch progress {
        case .none: return .none
        case .waitingForHead(anyByte: false) where isIdleConnection: return .stale
        case .waitingForHead(let anyByte): return .withoutHead(anyByte: anyByte)
        case .body: return .truncated
        }
    }

    /// Records that the exchange was aborted; its later events are ignored.
    package mutating func abandoned() { progress = .none }
}
