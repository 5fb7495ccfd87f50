// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghNIO
import Testing

extension HTTP2ConnectionStateMachineRandomTests.World {
    /// Reads the session's output as the peer would.
    ///
    /// - Parameter new: The stream that was just opened.
    mutating func read(opening new: UInt32? = nil) {
        guard fault == nil, var output = session.takeOutput() else { return }
        var reader = HTTP2FrameReader()
        do {
            while let frame = try reader.next(&output) { take(frame, opening: new) }
        } catch { fault = "the peer cannot read it: \(error)" }
        if output.readableBytes > 0 { fault = "half a frame was written" }
    }

    mutating func take(_ frame: HTTP2Frame, opening new: UInt32?) {
        switch frame {
        case .data(let id, let part, let flow, let ends, _):
            takes -= flow
            if takes < 0 && flow > 0 { fault = "sent more than the connection window" }
            guard let stream = streams[id] else { return }  // The stream ended in the same step.
            if !stream.isSending { fault = "sent after END_STREAM" }
            streams[id]?.takes -= part.readableBytes
            if stream.takes - part.readableBytes < 0, flow > 0 { fault = "sent more than the stream window" }
            if ends { streams[id]?.isSending = false }
        case .windowUpdate(let id, let increment):
            if increment == 0 { fault = "WINDOW_UPDATE with increment 0" }
            if id == 0 { may += Int(increment) } else { grow(id, by: Int(increment), isNew: id == new) }
        case .headers(let id, _, _): if id > last { fault = "HEADERS for an unknown stream" }
        case .ping(let data, let isAnswer):
            guard !isAnswer, data >> 63 == 1 else { return }
            if probe != nil { fault = "a second PING before the first was answered" }
            probe = (data, now)
        case .reset, .settings, .settingsAcknowledged, .goAway, .other: break
        }
    }

    /// Grows a stream's window: by the bytes that were taken, and by more only if its reader used the window up.
    private mutating func grow(_ id: UInt32, by increment: Int, isNew: Bool) {
        guard var stream = streams[id] else { return }
        let growth = increment - stream.unreported
        stream.may += increment
        stream.unreported = 0
        if growth < 0 { fault = "allows fewer bytes than were taken" }
        if growth > 0, !isNew {
            if growth > stream.window { fault = "a window grows to more than twice its size" }
            if stream.taken <= stream.window / 2 { fault = "a window grows without need" }
            stream.taken = 0
            grown += 1
        }
        stream.window += growth
        streams[id] = stream
        let most = max(limits.streamWindow, limits.maximumStreamWindow)
        if stream.window > most || stream.may > most { fault = "a window above its limit" }
        if let length = stream.length, growth > 0, !isNew, stream.may - growth >= length {
            fault = "the window exceeds the body"
        }
        if extra > limits.connectionWindow { fault = "windows above the limit of the connection" }
    }

    /// The bytes that all stream windows have beyond the default, plus the unread bytes of ended bodies.
    private var extra: Int {
        streams.values.reduce(0) { $0 + $1.window - limits.streamWindow } + unread.values.reduce(0, +)
    }

    /// The initial window of the next stream.
    var expectedWindow: Int {
        guard let time = shortest else { return limits.streamWindow }
        // 1 Gbit/s is 125 MB/s.
        let path = Int(Double(time.nanoseconds) / 1e9 * 125_000_000)
        guard path >= 2 * limits.streamWindow else { return limits.streamWindow }
        let left = limits.connectionWindow - extra
        let share = limits.streamWindow + min(left / 2, max(0, left - limits.connectionWindow / 16))
        return max(limits.streamWindow, min(path, share, limits.maximumStreamWindow))
    }

    /// Records a measured round trip: a shorter one applies at once, a longer one after ten seconds and by a quarter.
    mutating func measured(_ time: TimeAmount) {
        let time = max(time, .nanoseconds(1))
        guard let known = shortest, time > known else {
            (shortest, shortestFound) = (time, now)
            return
        }
        guard now - shortestFound >= .seconds(10) else { return }
        (shortest, shortestFound) = (min(time, known + .nanoseconds(max(1, known.nanoseconds / 4))), now)
    }

    mutating func check() {
        if session.count != streams.count { fault = "\(session.count) streams, expected \(streams.count)" }
        for (id, stream) in streams where session[id] != stream.payload { fault = "stream \(id) has another payload" }
        let capacity = isGoing || isStalled ? 0 : min(most, limits.streams)
        if session.capacity != capacity { fault = "capacity is \(session.capacity), expected \(capacity)" }
    }
}
