// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghNIO
import Testing

extension HTTP2SessionRandomTests.World {
    /// Reads what the session has the peer told, as the peer would.
    mutating func read() {
        guard fault == nil, var output = session.takeOutput() else { return }
        var reader = HTTP2FrameReader()
        do {
            while let frame = try reader.next(&output) { take(frame) }
        } catch { fault = "the peer cannot read it: \(error)" }
        if output.readableBytes > 0 { fault = "half a frame was written" }
    }

    mutating func take(_ frame: HTTP2Frame) {
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
            if id == 0 { may += Int(increment) } else { streams[id]?.may += Int(increment) }
            if let stream = streams[id], stream.may > limits.streamWindow { fault = "a window past its bound" }
        case .headers(let id, _, _): if id > last { fault = "a head of nothing" }
        case .reset, .settings, .settingsAcknowledged, .ping, .goAway, .other: break
        }
    }

    mutating func check() {
        if session.count != streams.count { fault = "\(session.count) streams, \(streams.count) there" }
        for (id, stream) in streams where session[id] != stream.payload { fault = "stream \(id) is another's" }
        let capacity = isGoing || isStalled ? 0 : min(most, limits.streams)
        if session.capacity != capacity { fault = "a capacity of \(session.capacity), not \(capacity)" }
    }
}
