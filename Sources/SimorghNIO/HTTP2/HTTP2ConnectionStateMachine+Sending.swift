// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// Frames that we send.
extension HTTP2ConnectionStateMachine {
    /// Opens a stream.
    ///
    /// - Parameters:
    ///   - payload: The owner's value for the stream.
    ///   - block: The field block of the request.
    ///   - endsStream: True if no body follows.
    ///   - wantsMore: True if the stream's window may exceed the initial window; ``widen(_:)`` then reports that to the
    ///     peer.
    /// - Returns: The stream's ID; `nil` if no more streams may be opened now.
    package mutating func open(
        _ payload: Payload, block: ByteBuffer, endsStream: Bool, wantsMore: @autoclosure () -> Bool = true
    ) -> UInt32? {
        guard streams.count < capacity else { return nil }
        let id = nextStream
        nextStream += 2
        var window = initialWindow()
        if window > limits.streamWindow, !wantsMore() { window = limits.streamWindow }
        var stream = Stream(payload: payload, sendWindow: peerWindow, receiveWindow: window, window: window)
        stream.isSending = !endsStream
        streams[id] = stream
        allowLateFrames(Self.lateFramesPerStream)
        output.reserveCapacity(minimumWritableBytes: block.readableBytes + 9)
        output.writeFields(block, stream: id, endsStream: endsStream, maximumFrameSize: peerFrame)
        extraWindows += window - limits.streamWindow
        return id
    }

    /// Returns the number of body bytes that can be sent now.
    package func sendable(_ id: UInt32) -> Int {
        guard let stream = streams[id], stream.isSending else { return 0 }
        return max(0, min(sendWindow, stream.sendWindow))
    }

    /// True if the window of the connection is used up, so no stream can send a body.
    package var isShut: Bool { sendWindow <= 0 }

    /// Notes that a body has bytes to send, but no window.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - now: The time.
    /// - Returns: The time to check ``stallsAt``, if this stream is the first to wait for the connection's window.
    package mutating func waits(_ id: UInt32, now: NIODeadline) -> NIODeadline? {
        guard isShut, shutSince == nil, let stream = streams[id], stream.isSending else { return nil }
        shutSince = now
        return stallsAt
    }

    /// The time at which the connection counts as stalled if its window stays closed; `nil` if no body waits for the
    /// window, or if the connection has already stalled.
    package var stallsAt: NIODeadline? { isStalled ? nil : shutSince.map { $0 + Self.windowPatience } }

    /// Accepts no new streams until the window of the connection opens.
    package mutating func stall() { isStalled = isShut }

    /// Continues to accept streams despite the closed window, for another ``windowPatience``.
    package mutating func postponeStall(now: NIODeadline) { if shutSince != nil { shutSince = now } }

    /// Sends as much of a body as the windows allow.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - bytes: The bytes to send.
    ///   - endsStream: True if the body ends with these bytes.
    /// - Returns: The number of bytes sent.
    package mutating func send<Bytes: Collection<UInt8>>(_ id: UInt32, bytes: Bytes, endsStream: Bool) -> Int
    where Bytes.Index == Int {
        guard var stream = streams[id], stream.isSending else { return 0 }
        let count = max(0, min(bytes.count, sendWindow, stream.sendWindow))
        guard count > 0 || endsStream && bytes.isEmpty else { return 0 }
        let isLast = endsStream && count == bytes.count
        output.reserveCapacity(minimumWritableBytes: count + 9 * (count / peerFrame + 1))
        var sent = 0
        repeat {
            let length = min(count - sent, peerFrame)
            let isEnd = isLast && sent + length == count
            output.writeFrameHeader(
                HTTP2FrameType.data, flags: isEnd ? HTTP2Flag.endStream : 0, stream: id, length: length)
            let start = bytes.startIndex + sent
            output.writeBytes(bytes[start..<(start + length)])
            sent += length
            allowLateFrames(Self.lateFramesPerDataFrame)
        } while sent < count
        sendWindow -= count
        stream.sendWindow -= count
        if isLast { stream.isSending = false }
        streams[id] = stream
        return count
    }

    /// Ends a body with trailers.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - block: The field block of the trailers.
    package mutating func sendTrailers(_ id: UInt32, block: ByteBuffer) {
        guard var stream = streams[id], stream.isSending else { return }
        stream.isSending = false
        streams[id] = stream
        output.writeFields(block, stream: id, endsStream: true, maximumFrameSize: peerFrame)
    }

    /// Resets a stream.
    ///
    /// Frames that still arrive for it are discarded.
    package mutating func cancel(_ id: UInt32, code: HTTP2ErrorCode) {
        guard let stream = remove(id) else { return }
        // The data in flight fills at most the window. A server that miscounts gets as much again.
        afterReset = min(afterReset + Int64(max(stream.window, stream.receiveWindow)), 1 << 40)
        output.writeReset(code, stream: id)
        allowLateFrames(Self.lateFramesPerReset)
    }

    /// Opens no more streams.
    package mutating func drain() { isLeaving = true }

    /// Sends GOAWAY, once.
    ///
    /// Nothing may be sent afterwards.
    package mutating func goAway(_ code: HTTP2ErrorCode) {
        guard !hasSentGoAway else { return }
        (isLeaving, hasSentGoAway) = (true, true)
        output.writeGoAway(code)
    }

    /// The next step of the keep-alive check.
    package enum KeepAlive: Equatable, Sendable {
        /// Check again at the given time.
        case wait(until: NIODeadline)
        /// The peer did not answer the PING: the connection is dead.
        case dead
    }

    /// Sends a PING if the peer has been silent for too long.
    ///
    /// - Parameters:
    ///   - lastReceived: The time at which the peer last sent something.
    ///   - now: The time.
    ///   - silence: The silence after which a PING is sent.
    ///   - patience: The time that the peer has to answer.
    /// - Returns: The time of the next check, or that the peer is dead.
    package mutating func keepAlive(
        lastReceived: NIODeadline, now: NIODeadline, silence: TimeAmount, patience: TimeAmount
    ) -> KeepAlive {
        if case .sent(_, let sent) = ping {
            // Any bytes received since show that the peer is alive, even if it has not answered the PING.
            if lastReceived > sent {
                ping = .none
            } else if sent + patience <= now {
                return .dead
            } else {
                return .wait(until: sent + patience)
            }
        }
        guard lastReceived + silence <= now else { return .wait(until: lastReceived + silence) }
        pings += 1
        ping = .sent(pings, at: now)
        output.writePing(pings, isAnswer: false)
        return .wait(until: now + patience)
    }
}
