// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// What we send.
extension HTTP2Session {
    /// Begins a stream.
    ///
    /// - Parameters:
    ///   - payload: What it is for.
    ///   - block: The fields of the request.
    ///   - ends: Whether no body follows.
    ///   - wantsMore: Whether the stream's window may be larger than that of every stream, which ``widen(_:)`` then tells the
    ///     peer.
    /// - Returns: The stream's number; `nil` where no more may be begun now.
    package mutating func open(
        _ payload: Payload, _ block: ByteBuffer, ends: Bool, wantsMore: @autoclosure () -> Bool = true
    ) -> UInt32? {
        guard streams.count < capacity else { return nil }
        let id = nextStream
        nextStream += 2
        var window = initialWindow()
        if window > limits.streamWindow, !wantsMore() { window = limits.streamWindow }
        var stream = Stream(payload: payload, sendWindow: peerWindow, receiveWindow: window, window: window)
        stream.isSending = !ends
        streams[id] = stream
        excuse(Self.excusesOfStream)
        output.reserveCapacity(minimumWritableBytes: block.readableBytes + 9)
        output.writeFields(block, stream: id, ends: ends, largestFrame: peerFrame)
        extraWindows += window - limits.streamWindow
        return id
    }

    /// How many bytes of a body may go out now.
    package func sendable(_ id: UInt32) -> Int {
        guard let stream = streams[id], stream.isSending else { return 0 }
        return max(0, min(sendWindow, stream.sendWindow))
    }

    /// True if the window of the connection is used up, so that no body goes on, whatever the windows of the streams.
    package var isShut: Bool { sendWindow <= 0 }

    /// Notes that a body has bytes to send which the windows do not take.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - now: The time.
    /// - Returns: When to look at ``stallsAt``, if this is the first that waits for the window of the connection.
    package mutating func waits(_ id: UInt32, now: NIODeadline) -> NIODeadline? {
        guard isShut, shutSince == nil, let stream = streams[id], stream.isSending else { return nil }
        shutSince = now
        return stallsAt
    }

    /// When the window of the connection has been closed for too long, if it stays closed; `nil` if nothing waits for it,
    /// or if the connection has stalled already.
    package var stallsAt: NIODeadline? { isStalled ? nil : shutSince.map { $0 + Self.windowPatience } }

    /// Takes nothing new until the window of the connection opens.
    package mutating func stall() { isStalled = isShut }

    /// Goes on taking new requests in spite of the closed window, for another ``windowPatience``.
    package mutating func postponeStall(now: NIODeadline) { if shutSince != nil { shutSince = now } }

    /// Sends a part of a body, as much as the windows allow.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - bytes: What there is to send.
    ///   - ends: Whether nothing follows these.
    /// - Returns: How many bytes were taken.
    package mutating func send<Bytes: Collection<UInt8>>(_ id: UInt32, _ bytes: Bytes, ends: Bool) -> Int
    where Bytes.Index == Int {
        guard var stream = streams[id], stream.isSending else { return 0 }
        let count = max(0, min(bytes.count, sendWindow, stream.sendWindow))
        guard count > 0 || ends && bytes.isEmpty else { return 0 }
        let isLast = ends && count == bytes.count
        output.reserveCapacity(minimumWritableBytes: count + 9 * (count / peerFrame + 1))
        var sent = 0
        repeat {
            let length = min(count - sent, peerFrame)
            let isEnd = isLast && sent + length == count
            output.writeFrameHeader(
                HTTP2FrameKind.data, flags: isEnd ? HTTP2FrameKind.endStream : 0, stream: id, length: length)
            let start = bytes.startIndex + sent
            output.writeBytes(bytes[start..<(start + length)])
            sent += length
            excuse(Self.excusesOfData)
        } while sent < count
        sendWindow -= count
        stream.sendWindow -= count
        if isLast { stream.isSending = false }
        streams[id] = stream
        return count
    }

    /// Ends a body with fields behind it.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - block: The fields.
    package mutating func sendTrailers(_ id: UInt32, _ block: ByteBuffer) {
        guard var stream = streams[id], stream.isSending else { return }
        stream.isSending = false
        streams[id] = stream
        output.writeFields(block, stream: id, ends: true, largestFrame: peerFrame)
    }

    /// Ends a stream from our side; what still comes for it is for nobody.
    package mutating func cancel(_ id: UInt32, _ code: HTTP2ErrorCode) {
        guard let stream = remove(id) else { return }
        // What was on its way fills the window at most; a server that counts badly gets as much again.
        afterReset = min(afterReset + max(stream.window, stream.receiveWindow), 1 << 40)
        output.writeReset(code, stream: id)
        excuse(Self.excusesOfReset)
    }

    /// Begins no more streams.
    package mutating func drain() { isLeaving = true }

    /// Says goodbye, once; nothing must follow.
    package mutating func goAway(_ code: HTTP2ErrorCode) {
        guard !hasSaidGoodbye else { return }
        (isLeaving, hasSaidGoodbye) = (true, true)
        output.writeGoAway(code)
    }

    /// What the peer's silence calls for.
    package enum KeepAlive: Equatable, Sendable {
        /// Nothing until then.
        case wait(until: NIODeadline)
        /// It did not answer: the connection is dead.
        case dead
    }

    /// Asks a peer that has long been silent whether it is there.
    ///
    /// - Parameters:
    ///   - heard: When something came from it last.
    ///   - now: The time.
    ///   - silence: How long it may be silent.
    ///   - patience: How long it may take to answer.
    /// - Returns: When to ask again, or that the peer is dead.
    package mutating func keepAlive(
        heard: NIODeadline, now: NIODeadline, silence: TimeAmount, patience: TimeAmount
    ) -> KeepAlive {
        if case .sent(_, let sent) = ping {
            // Whatever came since shows that it is there, be it busy.
            if heard > sent {
                ping = .none
            } else if sent + patience <= now {
                return .dead
            } else {
                return .wait(until: sent + patience)
            }
        }
        guard heard + silence <= now else { return .wait(until: heard + silence) }
        pings += 1
        ping = .sent(pings, at: now)
        output.writePing(pings, isAnswer: false)
        return .wait(until: now + patience)
    }
}
