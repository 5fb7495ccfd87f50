// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// Events for received frames, and their effect on streams.
extension HTTP2ConnectionStateMachine {
    /// The effect of a received frame on a stream.
    package enum Event {
        /// No effect on any stream.
        case none
        /// A field block: an interim or final head.
        case head(Payload, endsStream: Bool)
        case trailers(Payload)
        /// A part of the body, or its end.
        case data(Payload, endsStream: Bool)
        /// A protocol violation on the stream, which we reset.
        case broken(Payload, String)
        /// The peer's RST_STREAM.
        case reset(Payload, HTTP2ErrorCode)
        /// More bytes of a body can be sent on one stream.
        case sendable(Payload)
        /// More bytes of bodies can be sent on all streams.
        case allSendable
    }

    /// Counts a frame of any type.
    ///
    /// The first one must be SETTINGS.
    package mutating func receivedFrame(_ frame: HTTP2Frame) throws(HTTP2ProtocolError) {
        frames += 1
        guard !hasSettings else { return }
        guard case .settings = frame else {
            throw HTTP2ProtocolError(
                .protocolError, reason: "the server does not speak HTTP/2: its first frame is not SETTINGS")
        }
        hasSettings = true
    }

    /// Applies the peer's SETTINGS.
    ///
    /// - Returns: The maximum size of our encoder's dynamic table, if the peer set it.
    package mutating func received(settings: [HTTP2Setting], now: NIODeadline) throws(HTTP2ProtocolError) -> Int? {
        try countUselessFrame(now: now)
        var (table, window): (Int?, Int?)
        for setting in settings {
            let value = Int(clamping: setting.value)
            switch HTTP2Setting.Name(rawValue: setting.id) {
            case .headerTableSize: table = value
            case .maxConcurrentStreams: peerStreams = value
            case .initialWindowSize:
                guard setting.value <= 0x7FFF_FFFF else {
                    throw HTTP2ProtocolError(
                        .flowControlError, reason: "SETTINGS_INITIAL_WINDOW_SIZE is too large: \(setting.value)")
                }
                window = value
            case .maxFrameSize:
                guard (16_384...16_777_215).contains(value) else {
                    throw HTTP2ProtocolError(
                        .protocolError, reason: "SETTINGS_MAX_FRAME_SIZE is out of range: \(value)")
                }
                peerFrame = value
            case .enablePush:
                // Only a client may turn push on (RFC 9113, section 6.5.2), and we never do.
                guard value == 0 else {
                    throw HTTP2ProtocolError(.protocolError, reason: "the server sets SETTINGS_ENABLE_PUSH to \(value)")
                }
            case .maxHeaderListSize: peerFields = value
            case .none: break
            }
        }
        if let window { try changeWindows(to: window) }
        output.writeSettingsAcknowledgement()
        return table
    }

    /// Returns a window after a change; `nil` if it exceeds the largest window, also where an integer has 32 bits.
    private static func window(_ window: Int, raisedBy change: Int) -> Int? {
        let (sum, overflows) = window.addingReportingOverflow(change)
        return overflows || sum > maximumWindow ? nil : sum
    }

    private mutating func changeWindows(to value: Int) throws(HTTP2ProtocolError) {
        let change = value - peerWindow
        peerWindow = value
        guard change != 0 else { return }
        for id in streams.keys {
            guard let window = Self.window(streams[id]?.sendWindow ?? 0, raisedBy: change) else {
                throw HTTP2ProtocolError(.flowControlError, reason: "SETTINGS_INITIAL_WINDOW_SIZE overflows a window")
            }
            streams[id]?.sendWindow = window
        }
    }

    /// Records the acknowledgment of our SETTINGS.
    package mutating func receivedSettingsAcknowledgement(now: NIODeadline) throws(HTTP2ProtocolError) {
        guard settingsAwaited > 0 else { return try countUselessFrame(now: now) }
        settingsAwaited -= 1
        if let sent = settingsSent.take() { roundTrip.record(now - sent, now: now) }
    }

    /// Handles a PING, or the acknowledgment of ours.
    package mutating func received(ping data: UInt64, isAnswer: Bool, now: NIODeadline) throws(HTTP2ProtocolError) {
        if isAnswer {
            if case .sent(data, _) = ping {
                ping = .none
                return
            }
            if roundTrip.answered(data, now: now) { return }
        }
        try countUselessFrame(now: now)
        if !isAnswer { output.writePing(data, isAnswer: true) }
    }

    /// Counts a frame without effect.
    package mutating func receivedOther(now: NIODeadline) throws(HTTP2ProtocolError) { try countUselessFrame(now: now) }

    /// Handles GOAWAY.
    ///
    /// - Returns: The payloads of the streams that the peer will not process; they have ended.
    package mutating func receivedGoAway(
        last: UInt32, code: HTTP2ErrorCode, now: NIODeadline
    ) throws(HTTP2ProtocolError) -> [Payload] {
        try countUselessFrame(now: now)
        goAwayCode = code
        // A graceful shutdown sends a large ID first, then the actual one. The ID must not increase (RFC 9113, section
        // 6.8).
        let last = min(last, lastStream ?? last)
        lastStream = last
        let lost = streams.keys.filter { $0 > last }.sorted()
        return lost.compactMap { remove($0)?.payload }
    }

    /// Handles WINDOW_UPDATE.
    package mutating func receivedWindowUpdate(
        _ id: UInt32, increment: Int, now: NIODeadline
    ) throws(HTTP2ProtocolError) -> Event {
        if id == 0 {
            guard increment > 0 else {
                throw HTTP2ProtocolError(.protocolError, reason: "WINDOW_UPDATE with increment 0")
            }
            let wasShut = sendWindow <= 0
            guard let window = Self.window(sendWindow, raisedBy: increment) else {
                throw HTTP2ProtocolError(
                    .flowControlError, reason: "WINDOW_UPDATE overflows the window of the connection")
            }
            sendWindow = window
            (shutSince, isStalled) = (nil, false)
            if !wasShut { try countSmallWindowUpdate(increment, now: now) }
            return wasShut ? .allSendable : .none
        }
        guard var stream = streams[id] else {
            try expectEnded(id, now: now)
            return .none
        }
        guard increment > 0 else { return fail(id, code: .protocolError, reason: "WINDOW_UPDATE with increment 0") }
        let wasShut = stream.sendWindow <= 0
        guard let window = Self.window(stream.sendWindow, raisedBy: increment) else {
            return fail(id, code: .flowControlError, reason: "WINDOW_UPDATE overflows the window of the stream")
        }
        stream.sendWindow = window
        streams[id] = stream
        if !wasShut { try countSmallWindowUpdate(increment, now: now) }
        return wasShut ? .sendable(stream.payload) : .none
    }

    /// Counts small window updates of a window that is not empty: many of them only waste our time.
    private mutating func countSmallWindowUpdate(_ increment: Int, now: NIODeadline) throws(HTTP2ProtocolError) {
        if increment < 256 { try countUselessFrameUnlessAllowed(now: now) }
    }

    /// Handles a decoded field block.
    package mutating func receivedFields(
        _ id: UInt32, endsStream: Bool, now: NIODeadline
    ) throws(HTTP2ProtocolError) -> Event {
        guard let stream = streams[id] else {
            try expectEnded(id, now: now)
            return .none
        }
        guard stream.hasHead else {
            if endsStream { remoteEnded(id) }
            return .head(stream.payload, endsStream: endsStream)
        }
        guard endsStream else {
            return fail(id, code: .protocolError, reason: "a second response head arrived on the stream")
        }
        guard stream.length ?? 0 == 0 else {
            return fail(id, code: .protocolError, reason: "the body ends before Content-Length")
        }
        remoteEnded(id)
        return .trailers(stream.payload)
    }

    /// Notes that the last head was an interim one; the final one follows.
    ///
    /// - Returns: True unless the maximum number of interim responses is exceeded.
    package mutating func wasInterim(_ id: UInt32) -> Bool {
        guard var stream = streams[id] else { return true }
        stream.interim += 1
        streams[id] = stream
        return stream.interim <= Self.maximumInterimResponses
    }

    /// Notes that the last head was the final one.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - length: The announced length of the body.
    package mutating func wasHead(_ id: UInt32, length: Int?) {
        // Copied out and stored again: an in-place mutation costs two allocations.
        guard var stream = streams[id] else { return }
        stream.hasHead = true
        stream.length = length
        // A body that is shorter than its window leaves the rest of the window to other streams.
        let share = min(stream.window, max(limits.streamWindow, length ?? .max))
        extraWindows -= stream.window - share
        stream.window = share
        streams[id] = stream
    }

    /// Handles a part of a body.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - count: The number of body bytes.
    ///   - flow: The number of bytes that count against the windows: with the padding.
    ///   - endsStream: True if the stream ends with this part.
    ///   - isEmpty: True if the frame has no body bytes.
    ///   - now: The time.
    /// - Returns: The effect on the stream.
    /// - Throws: ``HTTP2ProtocolError``.
    package mutating func receivedData(
        _ id: UInt32, count: Int, flow: Int, endsStream: Bool, isEmpty: Bool, now: NIODeadline
    ) throws(HTTP2ProtocolError) -> Event {
        receiveWindow -= flow
        guard receiveWindow >= 0 else {
            throw HTTP2ProtocolError(.flowControlError, reason: "the server exceeded the window of the connection")
        }
        unreported += flow
        if unreported >= limits.fullConnectionWindow / 8 {
            receiveWindow += unreported
            output.writeWindowUpdate(unreported, stream: 0)
            unreported = 0
        }
        if isEmpty, !endsStream || streams[id] == nil { try countUselessFrame(now: now) }
        guard var stream = streams[id] else {
            guard wasBegun(id) else {
                throw HTTP2ProtocolError(.protocolError, reason: "DATA for a stream that was never opened")
            }
            afterReset -= Int64(flow)
            guard afterReset >= 0 else {
                throw HTTP2ProtocolError(.streamClosed, reason: "too much DATA for streams that were reset")
            }
            return .none
        }
        stream.receiveWindow -= flow
        guard stream.receiveWindow >= 0 else {
            return fail(id, code: .flowControlError, reason: "the server exceeded the window of the stream")
        }
        guard stream.hasHead else { return fail(id, code: .protocolError, reason: "DATA arrived before HEADERS") }
        if let length = stream.length {
            guard count <= length else {
                return fail(id, code: .protocolError, reason: "the body is longer than Content-Length")
            }
            guard !endsStream || count == length else {
                return fail(id, code: .protocolError, reason: "the body is shorter than Content-Length")
            }
            stream.length = length - count
        }
        stream.unreported += flow - count
        if stream.intervalBegan == nil { stream.intervalBegan = now }
        streams[id] = stream
        if endsStream { remoteEnded(id) }
        return .data(stream.payload, endsStream: endsStream)
    }

    /// Handles RST_STREAM.
    package mutating func receivedReset(
        _ id: UInt32, code: HTTP2ErrorCode, now: NIODeadline
    ) throws(HTTP2ProtocolError) -> Event {
        guard let stream = remove(id) else {
            try expectEnded(id, now: now)
            return .none
        }
        return .reset(stream.payload, code)
    }

    /// Checks that a frame for a stream that is not open belongs to one that has ended, not to one that never began.
    private mutating func expectEnded(_ id: UInt32, now: NIODeadline) throws(HTTP2ProtocolError) {
        guard wasBegun(id) else {
            throw HTTP2ProtocolError(.protocolError, reason: "a frame for a stream that was never opened")
        }
        try countUselessFrameUnlessAllowed(now: now)
    }

    /// Removes a stream whose response is complete.
    ///
    /// The rest of its request is not sent.
    private mutating func remoteEnded(_ id: UInt32) {
        guard let stream = remove(id), stream.isSending else { return }
        output.writeReset(.noError, stream: id)
    }

    private mutating func fail(_ id: UInt32, code: HTTP2ErrorCode, reason: String) -> Event {
        guard let payload = streams[id]?.payload else { return .none }
        cancel(id, code: code)
        return .broken(payload, reason)
    }
}
