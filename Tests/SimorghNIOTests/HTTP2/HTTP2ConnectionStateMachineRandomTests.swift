// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghNIO
import TestSupport
import Testing

/// HTTP2ConnectionStateMachine under random events, checked against a model of the peer's view.
///
/// 200,000 events by default; a million with `SIMORGH_THOROUGH=1` in the environment.
@Suite("HTTP2ConnectionStateMachine: random events", .timeLimit(.minutes(60)))
struct HTTP2ConnectionStateMachineRandomTests {
    @Test(
        "No order of events violates a window, a limit or another invariant", arguments: 1...20 as ClosedRange<UInt64>)
    func random(seed: UInt64) async {
        var world = World(seed: seed)
        for step in 0..<Thoroughness.events(10_000, seeds: 20) {
            world.step()
            // Other tests need this thread.
            if step % 256 == 0 { await Task.yield() }
            if let fault = world.fault {
                Issue.record("seed \(seed), step \(step): \(fault)")
                return
            }
        }
        #expect(world.opened > 100, "seed \(seed)")
        #expect(world.finished > 20, "seed \(seed)")
        #expect(world.sessions > 3, "seed \(seed)")
        #expect(world.grown > 5, "seed \(seed)")
    }

    /// The peer's view of a stream.
    struct Stream {
        var payload: Int
        /// The bytes that we may still send to the peer, as the peer counts.
        var takes: Int
        /// The bytes that the peer may still send to us.
        var may: Int
        var isSending: Bool
        var hasHead = false
        var unconsumed = 0
        /// The maximum number of unread bytes: the default window plus the growth so far.
        var window: Int
        /// Consumed bytes that no WINDOW_UPDATE has returned yet.
        var unreported = 0
        /// Bytes consumed since the window last grew.
        var taken = 0
        /// The remaining bytes of a body of known length.
        var length: Int?
    }

    struct World {
        typealias Session = HTTP2ConnectionStateMachine<Int>

        var fault: String?
        var opened = 0
        var finished = 0
        var sessions = 0
        var random: SeededNumbers
        var now = NIODeadline.uptimeNanoseconds(1)
        var session: Session
        var streams: [UInt32: Stream] = [:]
        var last: UInt32 = 0
        /// The bytes that we may still send on the connection (`takes`), and the peer (`may`).
        var takes = 65_535
        var may = 65_535
        var initial = 65_535
        var most = Int.max
        var isGoing = false
        /// The time since which a body waits for the connection window; `isStalled` is true if no new stream is opened.
        var shutSince: NIODeadline?
        var isStalled = false
        var next = 0
        var limits = Session.Limits()
        /// The PING that measures the round trip, until it is answered.
        var probe: (data: UInt64, sent: NIODeadline)?
        /// The shortest recent round trip, and when it was measured.
        var shortest: TimeAmount?
        var shortestFound = NIODeadline.uptimeNanoseconds(0)
        /// The unread bytes of bodies whose stream has ended.
        var unread: [UInt32: Int] = [:]
        var grown = 0

        init(seed: UInt64) {
            random = SeededNumbers(seed)
            session = Session()
            begin()
        }

        /// Starts a new connection.
        mutating func begin() {
            sessions += 1
            limits.streams = Int.random(in: 1...20, using: &random)
            limits.streamWindow = Int.random(in: 1000...100_000, using: &random)
            limits.maximumStreamWindow = Int.random(in: 50_000...300_000, using: &random)
            limits.connectionWindow = Int.random(in: 70_000...300_000, using: &random)
            session = Session(limits: limits)
            let time = Int64.random(in: 0...1 << Int64.random(in: 6...18, using: &random), using: &random)
            session.opened(after: .microseconds(time), now: now)
            shortest = nil
            if time > 0 { measured(.microseconds(time)) }
            unread = [:]
            probe = nil
            streams = [:]
            last = 0
            (takes, may) = (65_535, 65_535)
            initial = 65_535
            most = .max
            isGoing = false
            (shutSince, isStalled) = (nil, false)
            _ = session.output.readSlice(length: 24)
            read()
            attempt { world throws(HTTP2ProtocolError) in
                try world.session.receivedFrame(.settings([]))
                _ = try world.session.received(settings: [], now: world.now)
            }
        }

        mutating func step() {
            now = now + .milliseconds(Int64.random(in: 0...20, using: &random))
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<20: open()
            case 20..<40: send()
            case 40..<50: head()
            case 50..<70: data()
            case 70..<75: consume()
            case 75: readLate()
            case 76..<80: cancel()
            case 80..<84: reset()
            case 84..<90: windowUpdate()
            case 90..<93: settings()
            case 93..<95: ping()
            case 95: answerProbe()
            case 96: if Int.random(in: 0..<20, using: &random) == 0 { goAway() }
            case 97: if Int.random(in: 0..<10, using: &random) == 0 { nonsense() }
            case 98: lookAtWindow()
            default: idle()
            }
            read()
            check()
        }

        mutating func attempt(_ body: (inout World) throws(HTTP2ProtocolError) -> Void) {
            do {
                try body(&self)
            } catch {
                // Only a violation by the peer ends a session.
                if !wasWrong { fault = "ended without a violation: \(error)" }
                let lost = session.removeAll().sorted()
                if lost != streams.values.map(\.payload).sorted() { fault = "streams were lost or invented" }
                begin()
            }
        }

        var wasWrong = false

        /// Does something that a peer must not do; the session may end.
        mutating func wrong(_ body: (inout World) throws(HTTP2ProtocolError) -> Void) {
            wasWrong = true
            attempt(body)
            wasWrong = false
        }

        mutating func open() {
            next += 1
            let ends = Bool.random(using: &random)
            let block = ByteBuffer(repeating: 1, count: Int.random(in: 1...40_000, using: &random))
            let hasRoom = streams.count < min(most, limits.streams) && !isGoing && !isStalled
            let window = expectedWindow
            guard let id = session.open(next, block: block, endsStream: ends) else {
                if hasRoom { fault = "open was refused below the limit" }
                return
            }
            if !hasRoom { fault = "opened a stream above the limit" }
            if id <= last || id.isMultiple(of: 2) { fault = "stream \(id) after \(last)" }
            last = id
            streams[id] = Stream(
                payload: next, takes: initial, may: limits.streamWindow, isSending: !ends, window: limits.streamWindow)
            opened += 1
            session.widen(id)
            read(opening: id)
            if let stream = streams[id], stream.window != window {
                fault = "begins with \(stream.window), not \(window)"
            }
        }

        mutating func send() {
            guard let (id, stream) = streams.randomElement(using: &random) else { return }
            let bytes = [UInt8](repeating: 2, count: Int.random(in: 0...70_000, using: &random))
            let ends = Int.random(in: 0..<4, using: &random) == 0
            let allowed = stream.isSending ? max(0, min(takes, stream.takes)) : 0
            if session.sendable(id) != allowed { fault = "\(session.sendable(id)) sendable, \(allowed) allowed" }
            let sent = session.send(id, bytes: bytes, endsStream: ends)
            if sent != min(bytes.count, allowed) { fault = "\(sent) sent of \(allowed) allowed" }
            if sent < bytes.count { wait(id) }
        }

        /// The rest of a body waits for a window; if it is the connection's, the stall timer starts.
        mutating func wait(_ id: UInt32) {
            // Bytes just sent are counted when the peer reads them.
            read()
            guard let stream = streams[id] else { return }
            let told = session.waits(id, now: now)
            guard takes <= 0, stream.isSending, shutSince == nil else {
                if told != nil { fault = "a wait is reported twice, or without need" }
                return
            }
            shutSince = now
            if told != now + Session.windowPatience { fault = "a wait is not reported" }
        }

        /// Looks at the window as the owner does when its timer fires.
        mutating func lookAtWindow() {
            let expected = isStalled ? nil : shutSince.map { $0 + Session.windowPatience }
            if session.stallsAt != expected { fault = "the stall time is wrong" }
            guard let expected, expected <= now || Int.random(in: 0..<10, using: &random) == 0 else { return }
            if Int.random(in: 0..<4, using: &random) == 0 {
                session.postponeStall(now: now)
                shutSince = now
            } else {
                session.stall()
                isStalled = true
            }
        }

        mutating func cancel() {
            guard let id = streams.keys.randomElement(using: &random) else { return }
            streams[id] = nil
            session.cancel(id, code: .cancel)
        }

        mutating func reset() {
            guard let (id, stream) = streams.randomElement(using: &random) else { return }
            attempt { world throws(HTTP2ProtocolError) in
                guard
                    case .reset(stream.payload, .cancel) = try world.session.receivedReset(
                        id, code: .cancel, now: world.now)
                else {
                    world.fault = "a reset was lost"
                    return
                }
            }
            streams[id] = nil
        }

        mutating func windowUpdate() {
            let increment = Int.random(in: 256...100_000, using: &random)
            if Bool.random(using: &random) {
                guard takes + increment < 0x7FFF_FFFF else { return }
                attempt { world throws(HTTP2ProtocolError) in
                    _ = try world.session.receivedWindowUpdate(0, increment: increment, now: world.now)
                }
                takes += increment
                (shutSince, isStalled) = (nil, false)
            } else if let (id, stream) = streams.randomElement(using: &random), stream.takes + increment < 0x7FFF_FFFF {
                attempt { world throws(HTTP2ProtocolError) in
                    _ = try world.session.receivedWindowUpdate(id, increment: increment, now: world.now)
                }
                streams[id]?.takes += increment
            }
        }

        mutating func settings() {
            var settings: [HTTP2Setting] = []
            if Bool.random(using: &random) {
                let window = Int.random(in: 0...200_000, using: &random)
                settings.append(HTTP2Setting(.initialWindowSize, value: UInt32(window)))
                for id in streams.keys { streams[id]?.takes += window - initial }
                initial = window
            }
            if Bool.random(using: &random) {
                most = Int.random(in: 0...30, using: &random)
                settings.append(HTTP2Setting(.maxConcurrentStreams, value: UInt32(most)))
            }
            attempt { world throws(HTTP2ProtocolError) in
                _ = try world.session.received(settings: settings, now: world.now)
            }
        }

        mutating func ping() {
            let data = UInt64.random(in: 1 << 32...UInt64.max, using: &random)
            attempt { world throws(HTTP2ProtocolError) in
                try world.session.received(ping: data, isAnswer: false, now: world.now)
            }
        }

        mutating func answerProbe() {
            guard let (data, sent) = probe.take() else { return }
            attempt { world throws(HTTP2ProtocolError) in
                try world.session.received(ping: data, isAnswer: true, now: world.now)
            }
            measured(now - sent)
        }

        mutating func goAway() {
            let bound = UInt32.random(in: 0...(last + 10), using: &random)
            let lost = streams.filter { $0.key > bound }.sorted { $0.key < $1.key }.map(\.value.payload)
            attempt { world throws(HTTP2ProtocolError) in
                let told = try world.session.receivedGoAway(last: bound, code: .noError, now: world.now)
                if told != lost { world.fault = "\(told) reported as unprocessed, expected \(lost)" }
            }
            streams = streams.filter { $0.key <= bound }
            isGoing = true
            if streams.isEmpty { begin() }
        }

        /// Sends invalid frames; each ends the session or a stream, or is ignored.
        mutating func nonsense() {
            let id = UInt32.random(in: 0...0x7FFF_FFFF, using: &random)
            guard streams[id] == nil else { return }
            let choice = Int.random(in: 0..<8, using: &random)
            wrong { world throws(HTTP2ProtocolError) in
                switch choice {
                case 0: _ = try world.session.receivedFields(id, endsStream: true, now: world.now)
                case 1:
                    _ = try world.session.receivedData(
                        id, count: 1, flow: 1, endsStream: false, isEmpty: false, now: world.now)
                case 2: _ = try world.session.receivedReset(id, code: .cancel, now: world.now)
                case 3: _ = try world.session.receivedWindowUpdate(id, increment: 0, now: world.now)
                case 4:
                    for _ in 0..<2 {
                        _ = try world.session.receivedWindowUpdate(0, increment: 0x7FFF_FFFF, now: world.now)
                    }
                case 5:
                    let setting = HTTP2Setting(.initialWindowSize, value: .max)
                    _ = try world.session.received(settings: [setting], now: world.now)
                case 6:
                    _ = try world.session.received(settings: [HTTP2Setting(.enablePush, value: 1)], now: world.now)
                default:
                    for _ in 0...world.limits.uselessFrames { try world.session.receivedOther(now: world.now) }
                }
            }
        }

        mutating func idle() {
            let action = session.keepAlive(lastReceived: now, now: now, silence: .seconds(1), patience: .seconds(1))
            if action == .dead { fault = "reported as dead although frames arrived" }
        }
    }
}
