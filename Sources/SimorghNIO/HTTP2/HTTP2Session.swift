// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// One HTTP/2 connection of a client, without a socket or a clock: streams, windows, settings and limits.
///
/// Events go in by their kind (what the peer sent in `HTTP2Session+Receiving`, what we send in `HTTP2Session+Sending`);
/// what they mean for a request comes back, and what the peer has to be told lies in ``output`` as bytes. What each
/// stream is for is the owner's business: a payload that the session only hands back.
///
/// - The window of a stream is given back as its bytes are consumed, so that a slow reader holds up its own stream and nothing
///   else. The window of the connection is given back at once, since the windows of the streams bound what can come.
/// - The window of a stream follows the path (`HTTP2Session+Windows`): it begins with what a fast path of that length
///   holds, and grows while its reader keeps up.
/// - A stream ends for us where the peer ends it. What of the request was not sent by then is not sent any more.
/// - If the window of the connection stays closed while a body waits for it, the connection takes nothing new until it
///   opens (``windowPatience``): new uploads would wait, too, and another connection has a window of its own.
/// - Frames that cost a peer nothing (pings, settings, resets, empty frames) are counted, and too many of them in ten seconds end
///   the connection. Exempt are late frames for streams that have ended, and WINDOW_UPDATEs for data that we sent.
package struct HTTP2Session<Payload> {
    package struct Limits: Sendable, Hashable {
        /// The most streams at once, whatever more the peer allows.
        package var streams = 100
        /// The initial window that SETTINGS announce: the bytes of a body that may come before its reader has taken any.
        package var streamWindow = 512 * 1024
        /// The largest receive window of a stream.
        package var maximumStreamWindow = 20 * 1024 * 1024
        /// Used twice: the bytes of all bodies that may be on their way, and the bytes by which the windows of all streams together
        /// may exceed ``streamWindow`` for each.
        package var connectionWindow = 40 * 1024 * 1024
        /// The largest head that is announced to be accepted.
        package var headBytes = 64 * 1024
        /// How many frames without use are accepted in ten seconds.
        package var nuisances = 1000

        package init() {}

        /// The largest window of a stream, which is no smaller than the one that each has.
        var largestStreamWindow: Int { max(streamWindow, maximumStreamWindow) }

        /// The window of the connection, which is no smaller than the one before any SETTINGS.
        var fullConnectionWindow: Int { max(connectionWindow, HTTP2Session.firstWindow) }
    }

    struct Stream {
        let payload: Payload
        /// How much of a body the peer takes now.
        var sendWindow: Int
        /// How much the peer may still send.
        var receiveWindow: Int
        /// The share of the windows that counts as this stream's: how much of the body may lie unread, here and on its way.
        var window: Int
        /// Consumed bytes of which the peer was not told yet.
        var unreported = 0
        /// The bytes that the reader took since ``intervalBegan``.
        var taken = 0
        /// The time from which ``taken`` counts; `nil` before the first byte of the body.
        var intervalBegan: NIODeadline?
        var isSending = true
        var hasHead = false
        var interim = 0
        /// What is left of the body's promised length.
        var length: Int?
    }

    /// The largest window that there is.
    package static var largestWindow: Int { 0x7FFF_FFFF }
    /// The initial window of RFC 9113, section 6.9.2.
    package static var firstWindow: Int { 65_535 }
    /// The most interim responses before the final one.
    package static var mostInterim: Int { ExchangeMachine.mostInterim }
    static var nuisancePeriod: TimeAmount { .seconds(10) }
    /// The time that a body waits for the closed window of the connection before new requests go over another one.
    package static var windowPatience: TimeAmount { .seconds(5) }
    private static var mostExcuses: Int { 1 << 16 }
    /// What may come late for each stream: that its window grows, and that it is reset, once it has ended.
    static var excusesOfStream: Int { 2 }
    /// What may come late for one that we reset besides: some windows, its head, trailers.
    static var excusesOfReset: Int { 6 }
    /// What may come for each frame of a body: that its own window grows, and that of the connection.
    static var excusesOfData: Int { 2 }

    package let limits: Limits
    var streams: [UInt32: Stream] = [:]
    var nextStream: UInt32 = 1
    /// What the peer is to be sent, and was not given out yet.
    package var output: ByteBuffer

    // What the peer said
    var hasSettings = false
    var peerStreams = Int.max
    var peerWindow = HTTP2Session.firstWindow
    package internal(set) var peerFrame = 16 * 1024
    /// The largest list of fields that the peer says it accepts, which is advice; `nil` where it says nothing.
    package internal(set) var peerFields: Int?
    /// The last stream that the peer will look at, once it said so; and why.
    package internal(set) var lastStream: UInt32?
    package internal(set) var goAwayCode: HTTP2ErrorCode?

    // Windows of the connection
    var sendWindow = HTTP2Session.firstWindow
    /// The time at which the first body began to wait for ``sendWindow``; `nil` if none has since the window last opened.
    var shutSince: NIODeadline?
    /// True once ``stall()`` was called, until the window of the connection opens.
    package internal(set) var isStalled = false
    var receiveWindow: Int
    var unreported = 0
    /// The bytes by which the windows of all streams together exceed `streamWindow` for each, with ``unread``.
    var extraWindows = 0
    /// The bytes that lie unread of bodies whose streams have ended, by the stream's number.
    var unread: [UInt32: Int] = [:]
    /// The round-trip time.
    package internal(set) var roundTrip = HTTP2RoundTrip()
    /// What may still come for streams that we reset.
    var afterReset = 0

    // Patience
    var nuisances = 0
    var nuisancesSince = NIODeadline.uptimeNanoseconds(0)
    /// How many frames without use are no nuisance, since something that we did calls for them, however late they come.
    var excuses = 0
    var settingsAwaited = 1
    /// When our settings went out, until they are answered.
    var settingsSent: NIODeadline?
    /// How many frames came.
    package internal(set) var frames: UInt64 = 0
    var isLeaving = false
    var hasSaidGoodbye = false
    var ping = Ping.none
    var pings: UInt64 = 0

    enum Ping {
        case none
        case sent(UInt64, at: NIODeadline)
    }

    /// Begins a session: the client's first words are in the output.
    package init(limits: Limits = Limits()) {
        self.limits = limits
        receiveWindow = limits.fullConnectionWindow
        output = ByteBuffer()
        output.writePreface()
        output.writeSettings([
            HTTP2Setting(.enablePush, 0),
            HTTP2Setting(.initialWindowSize, UInt32(clamping: limits.streamWindow)),
            HTTP2Setting(.maxHeaderListSize, UInt32(clamping: limits.headBytes)),
        ])
        if receiveWindow > Self.firstWindow {
            output.writeWindowUpdate(receiveWindow - Self.firstWindow, stream: 0)
        }
    }

    /// How many streams there are.
    package var count: Int { streams.count }

    /// Whether no stream is begun any more: the peer goes away, or we do, or the numbers of streams are used up.
    package var isDraining: Bool { isLeaving || lastStream != nil || nextStream > 0x7FFF_FFFF }

    /// How many streams there may be at once.
    package var capacity: Int { isDraining || isStalled ? 0 : max(0, min(peerStreams, limits.streams)) }

    /// What a stream is for; `nil` once it has ended.
    package subscript(id: UInt32) -> Payload? { streams[id]?.payload }

    /// What the streams are for, in no order.
    package var payloads: some Sequence<Payload> { streams.values.lazy.map(\.payload) }

    /// Takes out what the peer is to be sent.
    package mutating func takeOutput() -> ByteBuffer? {
        guard output.readableBytes > 0 else { return nil }
        defer { output = ByteBuffer() }
        return output
    }

    /// Takes a stream out that has ended; others may have its window.
    mutating func remove(_ id: UInt32) -> Stream? {
        guard let stream = streams.removeValue(forKey: id) else { return nil }
        extraWindows -= stream.window - limits.streamWindow
        return stream
    }

    /// Ends all streams, as the connection does.
    ///
    /// - Returns: What they were for, in the order in which they began.
    package mutating func removeAll() -> [Payload] {
        defer {
            streams = [:]
            unread = [:]
            extraWindows = 0
        }
        return streams.sorted { $0.key < $1.key }.map(\.value.payload)
    }

    /// Counts a frame that a peer can send for nothing.
    mutating func endure(now: NIODeadline) throws(HTTP2Fault) {
        if now - nuisancesSince > Self.nuisancePeriod {
            nuisancesSince = now
            nuisances = 0
        }
        nuisances += 1
        guard nuisances <= limits.nuisances else {
            throw HTTP2Fault(.enhanceYourCalm, "the server sends more frames without use than anybody needs")
        }
    }

    /// Counts a frame that is of no use, unless we gave cause for it.
    mutating func endureUnlessExcused(now: NIODeadline) throws(HTTP2Fault) {
        guard excuses > 0 else { return try endure(now: now) }
        excuses -= 1
    }

    /// We did what a careful peer may answer with so many frames that are of no use by then.
    mutating func excuse(_ frames: Int) { excuses = min(excuses + frames, Self.mostExcuses) }

    /// Whether a stream was begun some time; what comes for one that has ended may be late.
    func wasBegun(_ id: UInt32) -> Bool { id < nextStream && !id.isMultiple(of: 2) }
}

extension HTTP2Session: Sendable where Payload: Sendable {}
extension HTTP2Session.Stream: Sendable where Payload: Sendable {}
extension HTTP2Session.Ping: Sendable {}
