// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// What the peer sent, and what it means.
extension HTTP2Session {
    /// What became of a stream.
    package enum Event {
        /// Nothing that anybody waits for.
        case none
        /// A block of fields: an interim head or the final one, or trailers.
        case head(Payload, ends: Bool)
        case trailers(Payload)
        /// A part of the body, or its end.
        case data(Payload, ends: Bool)
        /// The stream broke the rules and was reset by us.
        case broken(Payload, String)
        /// The peer ended the stream.
        case reset(Payload, HTTP2ErrorCode)
        /// More of a body may be sent: on one stream, or on all.
        case sendable(Payload)
        case allSendable
    }

    /// Counts a frame, of whichever kind; the first one has to be the settings.
    package mutating func heard(_ frame: HTTP2Frame) throws(HTTP2Fault) {
        frames += 1
        guard !hasSettings else { return }
        guard case .settings = frame else {
            throw HTTP2Fault(.protocolError, "the server does not speak HTTP/2: its settings did not come first")
        }
        hasSettings = true
    }

    /// Settings of the peer came.
    ///
    /// - Returns: The largest table that our encoder of fields may use, where the peer says so.
    package mutating func received(settings: [HTTP2Setting], now: NIODeadline) throws(HTTP2Fault) -> Int? {
        try endure(now: now)
        var (table, window): (Int?, Int?)
        for setting in settings {
            let value = Int(setting.value)
            switch HTTP2Setting.Name(rawValue: setting.id) {
            case .headerTableSize: table = value
            case .maxConcurrentStreams: peerStreams = value
            case .initialWindowSize:
                guard value <= Self.largestWindow else {
                    throw HTTP2Fault(.flowControlError, "a window is set to \(value) bytes")
                }
                window = value
            case .maxFrameSize:
                guard (16_384...16_777_215).contains(value) else {
                    throw HTTP2Fault(.protocolError, "the largest frame is set to \(value) bytes")
                }
                peerFrame = value
            case .enablePush:
                // Only a client may turn push on (RFC 9113, section 6.5.2), and we never do.
                guard value == 0 else {
                    throw HTTP2Fault(.protocolError, "the server sets SETTINGS_ENABLE_PUSH to \(value)")
                }
            case .maxHeaderListSize: peerFields = value
            case .none: break
            }
        }
        if let window { try changeWindows(to: window) }
        output.writeSettingsAcknowledgement()
        return table
    }

    private mutating func changeWindows(to value: Int) throws(HTTP2Fault) {
        let change = value - peerWindow
        peerWindow = value
        guard change != 0 else { return }
        for id in streams.keys {
            let window = (streams[id]?.sendWindow ?? 0) + change
            guard window <= Self.largestWindow else {
                throw HTTP2Fault(.flowControlError, "a window grows past its bound")
            }
            streams[id]?.sendWindow = window
        }
    }

    /// The peer has read our settings.
    package mutating func receivedSettingsAcknowledgement(now: NIODeadline) throws(HTTP2Fault) {
        guard settingsAwaited > 0 else { return try endure(now: now) }
        settingsAwaited -= 1
        if let sent = settingsSent.take() { roundTrip.took(now - sent, now: now) }
    }

    /// A ping, or the answer to ours.
    package mutating func received(ping data: UInt64, isAnswer: Bool, now: NIODeadline) throws(HTTP2Fault) {
        if isAnswer {
            if case .sent(data, _) = ping {
                ping = .none
                return
            }
            if roundTrip.answered(data, now: now) { return }
        }
        try endure(now: now)
        if !isAnswer { output.writePing(data, isAnswer: true) }
    }

    /// A frame that means nothing to us.
    package mutating func receivedOther(now: NIODeadline) throws(HTTP2Fault) { try endure(now: now) }

    /// The peer goes away.
    ///
    /// - Returns: What those streams were for that it will not look at; they have ended.
    package mutating func receivedGoAway(
        last: UInt32, _ code: HTTP2ErrorCode, now: NIODeadline
    ) throws(HTTP2Fault) -> [Payload] {
        try endure(now: now)
        goAwayCode = code
        // A server that shuts down says a large number first, then the true one; it may not take a promise back.
        let last = min(last, lastStream ?? last)
        lastStream = last
        let lost = streams.keys.filter { $0 > last }.sorted()
        return lost.compactMap { remove($0)?.payload }
    }

    /// A window grows.
    package mutating func receivedWindowUpdate(
        _ id: UInt32, _ increment: Int, now: NIODeadline
    ) throws(HTTP2Fault) -> Event {
        if id == 0 {
            guard increment > 0 else { throw HTTP2Fault(.protocolError, "a window grows by nothing") }
            let wasShut = sendWindow <= 0
            sendWindow += increment
            guard sendWindow <= Self.largestWindow else {
                throw HTTP2Fault(.flowControlError, "the window of the connection grows past its bound")
            }
            (shutSince, isStalled) = (nil, false)
            if !wasShut { try endureSmall(increment, now) }
            return wasShut ? .allSendable : .none
        }
        guard var stream = streams[id] else {
            try expectEnded(id, now)
            return .none
        }
        guard increment > 0 else { return fail(id, .protocolError, "a window grows by nothing") }
        let wasShut = stream.sendWindow <= 0
        stream.sendWindow += increment
        guard stream.sendWindow <= Self.largestWindow else {
            return fail(id, .flowControlError, "the window of the stream grows past its bound")
        }
        streams[id] = stream
        if !wasShut { try endureSmall(increment, now) }
        return wasShut ? .sendable(stream.payload) : .none
    }

    /// Many small steps where none was needed are for nothing but our time.
    private mutating func endureSmall(_ increment: Int, _ now: NIODeadline) throws(HTTP2Fault) {
        if increment < 256 { try endureUnlessExcused(now: now) }
    }

    /// A block of fields came, and was decoded.
    package mutating func receivedFields(_ id: UInt32, ends: Bool, now: NIODeadline) throws(HTTP2Fault) -> Event {
        guard let stream = streams[id] else {
            try expectEnded(id, now)
            return .none
        }
        guard stream.hasHead else {
            if ends { remoteEnded(id) }
            return .head(stream.payload, ends: ends)
        }
        guard ends else { return fail(id, .protocolError, "a second head came") }
        guard stream.length ?? 0 == 0 else { return fail(id, .protocolError, "the body is shorter than its length") }
        remoteEnded(id)
        return .trailers(stream.payload)
    }

    /// The head was an interim one; the final one is still to come.
    ///
    /// - Returns: Whether one more of them is accepted.
    package mutating func wasInterim(_ id: UInt32) -> Bool {
        guard var stream = streams[id] else { return true }
        stream.interim += 1
        streams[id] = stream
        return stream.interim <= Self.mostInterim
    }

    /// The head was the final one.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - length: The length of the body that it promises.
    package mutating func wasHead(_ id: UInt32, length: Int?) {
        // Taken out and put back: to change it in place costs two allocations.
        guard var stream = streams[id] else { return }
        stream.hasHead = true
        stream.length = length
        // A body that is shorter than its window leaves the rest of that to others.
        let share = min(stream.window, max(limits.streamWindow, length ?? .max))
        extraWindows -= stream.window - share
        stream.window = share
        streams[id] = stream
    }

    /// A part of a body came.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - count: How many bytes of the body.
    ///   - flow: How many of the windows: with those of the padding.
    ///   - ends: Whether the body is whole.
    ///   - isEmpty: Whether the frame held nothing.
    ///   - now: The time.
    /// - Returns: What that means for the stream.
    /// - Throws: ``HTTP2Fault``.
    package mutating func receivedData(
        _ id: UInt32, count: Int, flow: Int, ends: Bool, isEmpty: Bool, now: NIODeadline
    ) throws(HTTP2Fault) -> Event {
        receiveWindow -= flow
        guard receiveWindow >= 0 else {
            throw HTTP2Fault(.flowControlError, "the server sends more than the window of the connection")
        }
        unreported += flow
        if unreported >= limits.fullConnectionWindow / 8 {
            receiveWindow += unreported
            output.writeWindowUpdate(unreported, stream: 0)
            unreported = 0
        }
        if isEmpty, !ends || streams[id] == nil { try endure(now: now) }
        guard var stream = streams[id] else {
            guard wasBegun(id) else { throw HTTP2Fault(.protocolError, "a body comes on a stream that never began") }
            afterReset -= flow
            guard afterReset >= 0 else {
                throw HTTP2Fault(.streamClosed, "the server goes on with a stream that has ended")
            }
            return .none
        }
        stream.receiveWindow -= flow
        guard stream.receiveWindow >= 0 else {
            return fail(id, .flowControlError, "the server sends more than the window of the stream")
        }
        guard stream.hasHead else { return fail(id, .protocolError, "the body comes before the head") }
        if let length = stream.length {
            guard count <= length else { return fail(id, .protocolError, "the body is longer than its length") }
            guard !ends || count == length else {
                return fail(id, .protocolError, "the body is shorter than its length")
            }
            stream.length = length - count
        }
        stream.unreported += flow - count
        if stream.intervalBegan == nil { stream.intervalBegan = now }
        streams[id] = stream
        if ends { remoteEnded(id) }
        return .data(stream.payload, ends: ends)
    }

    /// The peer ended a stream.
    package mutating func receivedReset(
        _ id: UInt32, _ code: HTTP2ErrorCode, now: NIODeadline
    ) throws(HTTP2Fault) -> Event {
        guard let stream = remove(id) else {
            try expectEnded(id, now)
            return .none
        }
        return .reset(stream.payload, code)
    }

    /// What came is for a stream that is not there: one that has ended, or the peer made it up.
    private mutating func expectEnded(_ id: UInt32, _ now: NIODeadline) throws(HTTP2Fault) {
        guard wasBegun(id) else { throw HTTP2Fault(.protocolError, "a frame came for a stream that never began") }
        try endureUnlessExcused(now: now)
    }

    /// The response is whole; where the request is not, the rest is of no use to anybody.
    private mutating func remoteEnded(_ id: UInt32) {
        guard let stream = remove(id), stream.isSending else { return }
        output.writeReset(.noError, stream: id)
    }

    private mutating func fail(_ id: UInt32, _ code: HTTP2ErrorCode, _ reason: String) -> Event {
        guard let payload = streams[id]?.payload else { return .none }
        cancel(id, code)
        return .broken(payload, reason)
    }
}
