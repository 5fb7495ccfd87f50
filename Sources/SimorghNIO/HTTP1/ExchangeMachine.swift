// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How far one exchange on a connection has come, and what its next event means; without a byte of I/O.
///
/// The parser below it tells where heads, bodies and ends are; this decides what they amount to: what is handed on,
/// whether the connection can carry another exchange, what an end of the connection leaves behind.
package struct ExchangeMachine: Sendable {
    /// What matters of a response's head.
    package struct Shape: Sendable {
        package var status: Int
        /// Whether the server keeps the connection open, as far as its version and `Connection` field say.
        package var keepsAlive: Bool
        /// Whether the body ends where the connection ends, for want of a length.
        package var isUntilClose: Bool

        package init(status: Int, keepsAlive: Bool, isUntilClose: Bool) {
            self.status = status
            self.keepsAlive = keepsAlive
            self.isUntilClose = isUntilClose
        }
    }

    package enum HeadAction: Equatable, Sendable {
        /// An interim response: the final one is still to come.
        case skip
        /// The final response. Where it is no success, the upload that goes on is pointless: the server has made up its
        /// mind. One that answers while it reads, as an echo does, gets the rest.
        case deliver(stopsUpload: Bool)
        /// Not an answer to what was asked.
        case refuse(String)
    }

    package enum EndAction: Equatable, Sendable {
        /// The response is whole.
        case complete(reuse: Bool)
        /// The body was cut off.
        case truncated
        case ignore
    }

    package enum LossAction: Equatable, Sendable {
        /// Nothing was going on, or it is over.
        case none
        /// No byte of a response came on a connection that had idled: the server most likely closed it before it saw
        /// the request.
        case stale
        /// The connection ended before the head did.
        case withoutHead(anyByte: Bool)
        /// The connection ended inside the body.
        case truncated
    }

    private enum Progress: Equatable {
        case none
        case waitingForHead(anyByte: Bool)
        case body(Shape)
    }

    /// Interim responses past this many are an attack on our patience.
    package static let mostInterim = 32

    private var progress = Progress.none
    private var isUploading = false
    private var isIdleConnection = false
    private var interim = 0
    private var wantsClose = false
    /// TLS ended without saying so: an attacker on the way may have cut it.
    private var isCut = false

    package init() {}

    package var isRunning: Bool { progress != .none }

    package var isWaitingForHead: Bool {
        if case .waitingForHead = progress { return true }
        return false
    }

    /// A request goes out.
    ///
    /// - Parameters:
    ///   - hasUpload: Whether more of it follows the first write.
    ///   - isIdleConnection: Whether the connection had idled.
    ///   - wantsClose: Whether the request asks the server to close.
    package mutating func began(hasUpload: Bool, isIdleConnection: Bool, wantsClose: Bool) {
        progress = .waitingForHead(anyByte: false)
        isUploading = hasUpload
        self.isIdleConnection = isIdleConnection
        self.wantsClose = wantsClose
        interim = 0
    }

    /// The last byte of the request was written.
    package mutating func uploaded() { isUploading = false }

    /// Bytes of a response came.
    package mutating func receivedBytes() {
        if case .waitingForHead(anyByte: false) = progress { progress = .waitingForHead(anyByte: true) }
    }

    package mutating func received(head: Shape) -> HeadAction {
        guard case .waitingForHead = progress else { return .refuse("the server sent a head where none was due") }
        guard head.status != 101 else { return .refuse("the server switched protocols unasked") }
        guard (100...999).contains(head.status) else { return .refuse("the status \(head.status) is not one") }
        if head.status < 200 {
            interim += 1
            guard interim <= Self.mostInterim else { return .refuse("the server sent too many interim responses") }
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

    /// TLS ended without its own goodbye; the connection's end follows.
    package mutating func wasCut() { isCut = true }

    /// The connection ended, or failed.
    package mutating func lost() -> LossAction {
        defer { progress = .none }
        switch progress {
        case .none: return .none
        case .waitingForHead(anyByte: false) where isIdleConnection: return .stale
        case .waitingForHead(let anyByte): return .withoutHead(anyByte: anyByte)
        case .body: return .truncated
        }
    }

    /// We gave the exchange up; what still comes is not for anybody.
    package mutating func abandoned() { progress = .none }
}

extension ExchangeMachine.Shape: Equatable {}
