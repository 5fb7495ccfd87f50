// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
import SimorghRealtime

/// The client side of one HTTP/2 connection, without a socket or a clock: streams, windows, settings and limits.
///
/// The owner reports events by type (received frames in `HTTP2ConnectionStateMachine+Receiving`, sent ones in
/// `HTTP2ConnectionStateMachine+Sending`). The session returns their effect on a request, and appends the bytes for
/// the peer to ``output``. The payload of a stream belongs to the owner; the session only returns it.
///
/// - A stream's window is returned as its bytes are consumed, so a slow reader blocks only its own stream. The
///   connection's window is returned at once, since the windows of the streams limit the bytes in flight.
/// - A stream's window adapts to the path (`HTTP2ConnectionStateMachine+Windows`): it begins with the path's
///   bandwidth-delay product and grows while the reader keeps up.
/// - When the peer ends a stream, the rest of its request is not sent.
/// - If the connection's window stays closed while a body waits for it, the connection accepts no new streams until the
///   window opens (``windowPatience``): new uploads would wait, too, and another connection has its own window.
/// - Frames that are cheap for the peer (PING, SETTINGS, RST_STREAM, empty frames) are counted, and too many in ten
///   seconds end the connection. Late frames for streams that have ended and WINDOW_UPDATEs for data that we sent do
///   not count.
package struct HTTP2ConnectionStateMachine<Payload> {
    package struct Limits: Sendable, Hashable {
        /// The maximum number of concurrent streams, even if the peer allows more.
        package var streams = 100
        /// The initial window that SETTINGS announce, in bytes: the part of a body that may arrive before its reader
        /// takes any.
        package var streamWindow = 512 * 1024
        /// The largest receive window of a stream, in bytes.
        package var maximumStreamWindow = 20 * 1024 * 1024
        /// The limit, in bytes, of two sums: the bytes of all bodies in flight, and the bytes by which the windows of
        /// all streams together may exceed ``streamWindow`` for each.
        package var connectionWindow = 40 * 1024 * 1024
        /// The largest head that SETTINGS announce, in bytes.
        package var headBytes = 64 * 1024
        /// The maximum number of useless frames in ten seconds.
        package var uselessFrames = 1000

        package init() {}

        /// The largest window of a stream; at least the initial one.
        var effectiveStreamWindow: Int { max(streamWindow, maximumStreamWindow) }

        /// The window of the connection; at least the one that applies before any SETTINGS.
        var fullConnectionWindow: Int { max(connectionWindow, HTTP2ConnectionStateMachine.firstWindow) }
    }

    struct Stream {
        let payload: Payload
        /// The bytes of a body that the peer accepts now.
        var sendWindow: Int
        /// The bytes that the peer may still send.
        var receiveWindow: Int
        /// The stream's share of the windows: the bytes of the body that may be unread or in flight.
        var window: Int
        /// Consumed bytes that were not yet returned with a WINDOW_UPDATE.
        var unreported = 0
        /// The bytes that the reader consumed since ``intervalBegan``.
        var taken = 0
        /// The time from which ``taken`` counts; `nil` before the first byte of the body.
        var intervalBegan: NIODeadline?
        var isSending = true
        var hasHead = false
        var interim = 0
        /// The remaining bytes of the body's announced length.
        var length: Int?
    }

    /// The largest window that the protocol allows.
    package static var maximumWindow: Int { 0x7FFF_FFFF }
    /// The initial window of RFC 9113, section 6.9.2.
    package static var firstWindow: Int { 65_535 }
    /// The maximum number of interim responses before the final one.
    package static var maximumInterimResponses: Int { ExchangeStateMachine.maximumInterimResponses }
    static var uselessFramesPeriod: TimeAmount { .seconds(10) }
    /// The time that a body waits for the connection's closed window before new requests use another connection.
    package static var windowPatience: TimeAmount { .seconds(5) }
    private static var maximumAllowedLateFrames: Int { 1 << 16 }
    /// The allowance of late frames for each stream that has ended: a WINDOW_UPDATE and an RST_STREAM.
    static var lateFramesPerStream: Int { 2 }
    /// The additional allowance for each stream that we reset: some WINDOW_UPDATEs, its head, trailers.
    static var lateFramesPerReset: Int { 6 }
    /// The allowance for each DATA frame that we send: a WINDOW_UPDATE of the stream and one of the connection.
    static var lateFramesPerDataFrame: Int { 2 }

    package let limits: Limits
    var streams: [UInt32: Stream] = [:]
    var nextStream: UInt32 = 1
    /// The bytes to send to the peer.
    package var output: ByteBuffer

    // Values from the peer
    var hasSettings = false
    var peerStreams = Int.max
    var peerWindow = HTTP2ConnectionStateMachine.firstWindow
    package internal(set) var peerFrame = 16 * 1024
    /// The largest field list that the peer announced to accept, which is advisory; `nil` if it announced none.
    package internal(set) var peerFields: Int?
    /// The last stream that the peer will process, once it sent GOAWAY.
    package internal(set) var lastStream: UInt32?
    /// The error code of the peer's GOAWAY.
    package internal(set) var goAwayCode: HTTP2ErrorCode?

    // Windows of the connection
    var sendWindow = HTTP2ConnectionStateMachine.firstWindow
    /// The time at which the first body began to wait for ``sendWindow``; `nil` if none has since the window last
    /// opened.
    var shutSince: NIODeadline?
    /// True from ``stall()`` until the window of the connection opens.
    package internal(set) var isStalled = false
    var receiveWindow: Int
    var unreported = 0
    /// The bytes by which the windows of all streams together exceed `streamWindow` for each, with ``unread``.
    var extraWindows = 0
    /// The unread bytes of bodies whose streams have ended, by stream ID.
    var unread: [UInt32: Int] = [:]
    /// The round-trip time.
    package internal(set) var roundTrip = HTTP2RoundTrip()
    /// The bytes that may still arrive for streams that we reset.
    var afterReset: Int64 = 0

    // Abuse limits
    var uselessFrames = 0
    var uselessFramesSince = NIODeadline.uptimeNanoseconds(0)
    /// The number of useless frames that are not counted, because our own frames caused them, however late they arrive.
    var allowedLateFrames = 0
    var settingsAwaited = 1
    /// The time at which our SETTINGS were sent; `nil` once they are acknowledged.
    var settingsSent: NIODeadline?
    /// The number of received frames.
    package internal(set) var frames: UInt64 = 0
    var isLeaving = false
    var hasSentGoAway = false
    var ping = Ping.none
    var pings: UInt64 = 0

    enum Ping {
        case none
        case sent(UInt64, at: NIODeadline)
    }

    /// Creates a session, with the connection preface in its output.
    package init(limits: Limits = Limits()) {
        self.limits = limits
        receiveWindow = limits.fullConnectionWindow
        output = ByteBuffer()
        output.writePreface()
        output.writeSettings([
            HTTP2Setting(.enablePush, value: 0),
            HTTP2Setting(.initialWindowSize, value: UInt32(clamping: limits.streamWindow)),
            HTTP2Setting(.maxHeaderListSize, value: UInt32(clamping: limits.headBytes)),
        ])
        if receiveWindow > Self.firstWindow {
            output.writeWindowUpdate(receiveWindow - Self.firstWindow, stream: 0)
        }
    }

    /// The number of open streams.
    package var count: Int { streams.count }

    /// True if no more streams are opened: the peer sent GOAWAY, this side is closing, or the stream IDs are used up.
    package var isDraining: Bool { isLeaving || lastStream != nil || nextStream > 0x7FFF_FFFF }

    /// The maximum number of streams that can be open at once.
    package var capacity: Int { isDraining || isStalled ? 0 : max(0, min(peerStreams, limits.streams)) }

    /// Returns a stream's payload; `nil` once the stream has ended.
    package subscript(id: UInt32) -> Payload? { streams[id]?.payload }

    /// The payloads of the streams, in no order.
    package var payloads: some Sequence<Payload> { streams.values.lazy.map(\.payload) }

    /// Removes and returns the bytes to send to the peer.
    package mutating func takeOutput() -> ByteBuffer? {
        guard output.readableBytes > 0 else { return nil }
        defer { output = ByteBuffer() }
        return output
    }

    /// Removes a stream that has ended; its window is available to other streams.
    mutating func remove(_ id: UInt32) -> Stream? {
        guard let stream = streams.removeValue(forKey: id) else { return nil }
        extraWindows -= stream.window - limits.streamWindow
        return stream
    }

    /// Removes all streams, because the connection ends.
    ///
    /// - Returns: Their payloads, in the order in which the streams began.
    package mutating func removeAll() -> [Payload] {
        defer {
            streams = [:]
            unread = [:]
            extraWindows = 0
        }
        return streams.sorted { $0.key < $1.key }.map(\.value.payload)
    }

    /// Counts a frame that costs the peer nothing.
    mutating func countUselessFrame(now: NIODeadline) throws(HTTP2ProtocolError) {
        if now - uselessFramesSince > Self.uselessFramesPeriod {
            uselessFramesSince = now
            uselessFrames = 0
        }
        uselessFrames += 1
        guard uselessFrames <= limits.uselessFrames else {
            throw HTTP2ProtocolError(.enhanceYourCalm, reason: "the server sends too many useless frames")
        }
    }

    /// Counts a useless frame, unless our own frames allow for it.
    mutating func countUselessFrameUnlessAllowed(now: NIODeadline) throws(HTTP2ProtocolError) {
        guard allowedLateFrames > 0 else { return try countUselessFrame(now: now) }
        allowedLateFrames -= 1
    }

    /// Allows for useless frames that a well-behaved peer may send in reaction to what we sent.
    mutating func allowLateFrames(_ frames: Int) {
        allowedLateFrames = min(allowedLateFrames + frames, Self.maximumAllowedLateFrames)
    }

    /// Returns true if a stream was ever opened.
    ///
    /// Frames for one that has ended may be late.
    func wasBegun(_ id: UInt32) -> Bool { id < nextStream && !id.isMultiple(of: 2) }
}

extension HTTP2ConnectionStateMachine: Sendable where Payload: Sendable {}
extension HTTP2ConnectionStateMachine.Stream: Sendable where Payload: Sendable {}
extension HTTP2ConnectionStateMachine.Ping: Sendable {}
