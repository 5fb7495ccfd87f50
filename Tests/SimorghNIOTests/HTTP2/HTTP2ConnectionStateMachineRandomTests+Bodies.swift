// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO

/// Heads and bodies of responses, and their readers.
extension HTTP2ConnectionStateMachineRandomTests.World {
    mutating func head() {
        guard let (id, stream) = streams.randomElement(using: &random) else { return }
        let ends = Int.random(in: 0..<5, using: &random) == 0
        if stream.hasHead, !ends || stream.length ?? 0 > 0 {
            expectBroken(id) { world throws(HTTP2ProtocolError) in
                try world.session.receivedFields(id, endsStream: ends, now: world.now)
            }
            return
        }
        attempt { world throws(HTTP2ProtocolError) in
            switch try world.session.receivedFields(id, endsStream: ends, now: world.now) {
            case .head(let payload, let isEnd):
                if stream.hasHead || payload != stream.payload || isEnd != ends { world.fault = "another head" }
                if !ends { world.wasHead(id) }
            case .trailers(let payload):
                if !stream.hasHead || payload != stream.payload { world.fault = "trailers without a head" }
            default: world.fault = "a head was lost"
            }
        }
        streams[id]?.hasHead = true
        if ends { ended(id) }
    }

    /// Some bodies have a known length, and need no larger window.
    mutating func wasHead(_ id: UInt32) {
        let length = Bool.random(using: &random) ? Int.random(in: 0...500_000, using: &random) : nil
        session.wasHead(id, length: length)
        streams[id]?.length = length
        guard let length, let stream = streams[id] else { return }
        streams[id]?.window = min(stream.window, max(limits.streamWindow, length))
    }

    mutating func data() {
        guard let (id, stream) = streams.randomElement(using: &random) else { return }
        let wantsEnd = Int.random(in: 0..<5, using: &random) == 0
        let padding = Int.random(in: 0...20, using: &random)
        let isWrong = Int.random(in: 0..<50, using: &random) == 0
        guard !isWrong || stream.may < may else { return }
        let most = max(0, min(stream.may, may))
        let count = isWrong ? stream.may + 1 : min(Int.random(in: 0...most, using: &random), stream.length ?? .max)
        let flow = isWrong ? count : min(count + padding, most)
        let ends = wantsEnd && (stream.length ?? count) == count
        may -= flow
        guard stream.hasHead, !isWrong else {
            return expectBroken(id) { world throws(HTTP2ProtocolError) in
                try world.session.receivedData(
                    id, count: count, flow: flow, endsStream: ends, isEmpty: false, now: world.now)
            }
        }
        attempt { world throws(HTTP2ProtocolError) in
            let event = try world.session.receivedData(
                id, count: count, flow: flow, endsStream: ends, isEmpty: flow == 0, now: world.now)
            guard case .data(stream.payload, ends) = event else {
                world.fault = "a part of a body was lost: \(event)"
                return
            }
        }
        streams[id]?.may -= flow
        streams[id]?.length = stream.length.map { $0 - count }
        streams[id]?.unconsumed += count
        streams[id]?.unreported += flow - count
        if ends { return ended(id) }
        // Many readers keep up.
        if Bool.random(using: &random) { consume(of: id) }
    }

    mutating func expectBroken(
        _ id: UInt32, _ body: (inout Self) throws(HTTP2ProtocolError) -> Session.Event
    ) {
        guard let payload = streams[id]?.payload else { return }
        wrong { world throws(HTTP2ProtocolError) in
            guard case .broken(payload, _) = try body(&world) else {
                world.fault = "a broken stream continues"
                return
            }
            world.streams[id] = nil
        }
    }

    mutating func ended(_ id: UInt32) {
        // Some are read later, as far as their window exceeded the default.
        let stream = streams.removeValue(forKey: id)
        finished += 1
        guard let stream, Bool.random(using: &random) else { return }
        let count = min(stream.unconsumed, stream.window - limits.streamWindow)
        session.keepsUnread(id, count: count)
        unread[id] = count
    }

    /// Reads, or drops, the rest of a body whose stream has ended.
    mutating func readLate() {
        guard let (id, count) = unread.randomElement(using: &random) else { return }
        let rest = Int.random(in: 0...count, using: &random) / 2
        session.keepsUnread(id, count: rest)
        unread[id] = rest > 0 ? rest : nil
    }

    mutating func consume() {
        guard let (id, stream) = streams.randomElement(using: &random), stream.unconsumed > 0 else { return }
        consume(of: id, atMost: Int.random(in: 1...stream.unconsumed, using: &random))
    }

    /// Lets the reader take received bytes of a body.
    mutating func consume(of id: UInt32, atMost most: Int = .max) {
        guard let stream = streams[id], stream.unconsumed > 0 else { return }
        let count = min(most, stream.unconsumed)
        streams[id]?.unconsumed -= count
        streams[id]?.unreported += count
        streams[id]?.taken += count
        session.consumed(id, count: count, now: now)
    }
}
