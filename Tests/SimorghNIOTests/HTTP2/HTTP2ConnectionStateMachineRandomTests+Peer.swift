// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghNIO
import Testing

extension HTTP2SessionRandomTests.World {
    /// Reads what the session has the peer told, as the peer would.
    ///
    /// - Parameter new: The stream that was begun just now.
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
            if takes < 0 && flow > 0 { fault = "more sent than the connection takes" }
            guard let stream = streams[id] else { return }  // It ended in the same step.
            if !stream.isSending { fault = "sent behind the end" }
            streams[id]?.takes -= part.readableBytes
            if stream.takes - part.readableBytes < 0, flow > 0 { fault = "more sent than the stream takes" }
            if ends { streams[id]?.isSending = false }
        case .windowUpdate(let id, let increment):
            if increment == 0 { fault = "a window grows by nothing" }
            if id == 0 { may += Int(increment) } else { grow(id, by: Int(increment), isNew: id == new) }
        case .headers(let id, _, _): if id > last { fault = "a head of nothing" }
        case .ping(let data, let isAnswer):
            guard !isAnswer, data >> 63 == 1 else { return }
            if probe != nil { fault = "a second ping before the first was answered" }
            probe = (data, now)
        case .reset, .settings, .settingsAcknowledged, .goAway, .other: break
        }
    }

    /// A stream may bring more: as much as was taken of it, and more only where its reader has earned it.
    private mutating func grow(_ id: UInt32, by increment: Int, isNew: Bool) {
        guard var stream = streams[id] else { return }
        let growth = increment - stream.unreported
        stream.may += increment
        stream.unreported = 0
        if growth < 0 { fault = "less is allowed than was taken" }
        if growth > 0, !isNew {
            if growth > stream.window { fault = "a window grows to more than twice its size" }
            if stream.taken <= stream.window / 2 { fault = "a window grows without need" }
            stream.taken = 0
            grown += 1
        }
        stream.window += growth
        streams[id] = stream
        let most = max(limits.streamWindow, limits.maximumStreamWindow)
        if stream.window > most || stream.may > most { fault = "a window past its bound" }
        if let length = stream.length, growth > 0, !isNew, stream.may - growth >= length {
            fault = "more than the body"
        }
        if extra > limits.connectionWindow { fault = "windows past the bound of all" }
    }

    /// What the windows of all streams together have beyond what each has, and what lies unread of ended bodies.
    private var extra: Int {
        streams.values.reduce(0) { $0 + $1.window - limits.streamWindow } + unread.values.reduce(0, +)
    }

    /// The window that the next stream begins with.
    var expectedWindow: Int {
        guard let time = shortest else { return limits.streamWindow }
        // A gigabit in a second, an eighth of a byte in a nanosecond.
        let path = Int(Double(time.nanoseconds) / 1e9 * 125_000_000)
        guard path >= 2 * limits.streamWindow else { return limits.streamWindow }
        let left = limits.connectionWindow - extra
        let share = limits.streamWindow + min(left / 2, max(0, left - limits.connectionWindow / 16))
        return max(limits.streamWindow, min(path, share, limits.maximumStreamWindow))
    }

    /// A round trip was measured: a shorter one counts at once, a longer one after ten seconds and by a quarter.
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
        if session.count != streams.count { fault = "\(session.count) streams, \(streams.count) there" }
        for (id, stream) in streams where session[id] != stream.payload { fault = "stream \(id) is another's" }
        let capacity = isGoing || isStalled ? 0 : min(most, limits.streams)
        if session.capacity != capacity { fault = "a capacity of \(session.capacity), not \(capacity)" }
    }
}
