// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghTesting
import Testing

@Suite("FaultDirectionStateMachine", .timeLimit(.minutes(5)))
struct FaultDirectionStateMachineTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private static func direction(_ change: (inout FaultProxy.Faults) -> Void = { _ in }) -> FaultDirectionStateMachine
    {
        var faults = FaultProxy.Faults()
        change(&faults)
        return FaultDirectionStateMachine(faults)
    }

    private static func bytes(_ count: Int) -> ByteBuffer { ByteBuffer(repeating: 7, count: count) }

    @Test("Without faults bytes pass at once, and more are read")
    func plain() {
        var direction = Self.direction()
        let began = direction.connectionOpened(now: Self.start)
        #expect(began == [.read])
        let passed = direction.didReceive(Self.bytes(10), now: Self.start)
        #expect(passed == [.write(Self.bytes(10)), .read])
        let ended = direction.didReachEnd(now: Self.start)
        #expect(ended == [.finish])
    }

    @Test("A delay applies to bytes and to the end of the stream")
    func delayed() {
        var direction = Self.direction { $0.delay = .milliseconds(80) }
        _ = direction.connectionOpened(now: Self.start)
        let due = Self.start + .milliseconds(80)
        let waits = direction.didReceive(Self.bytes(10), now: Self.start)
        #expect(waits == [.startTimer(due), .read])
        let ended = direction.didReachEnd(now: Self.start + .milliseconds(1))
        #expect(ended.isEmpty)
        let passed = direction.timerFired(now: due)
        #expect(passed == [.write(Self.bytes(10)), .startTimer(due + .milliseconds(1))])
        let last = direction.timerFired(now: due + .milliseconds(1))
        #expect(last == [.finish])
    }

    @Test("bytesPerSecond limits the throughput")
    func bandwidth() {
        var direction = Self.direction { $0.bytesPerSecond = 1000 }
        _ = direction.connectionOpened(now: Self.start)
        var now = Self.start
        var actions = direction.didReceive(Self.bytes(2500), now: now)
        var passed = 0
        while true {
            for case .write(let part) in actions { passed += part.readableBytes }
            // The time for each part is spent after it passes, so the first 100 bytes are free.
            #expect(passed <= 100 + Int((now - Self.start).nanoseconds / 1_000_000))
            guard
                case .startTimer(let next)? = actions.first(where: { if case .startTimer = $0 { true } else { false } })
            else {
                break
            }
            now = next
            actions = direction.timerFired(now: now)
        }
        #expect(passed == 2500)
        #expect(now - Self.start == .milliseconds(2400))
    }

    @Test("Pauses occur after a number of bytes, however they are split")
    func pauses() {
        var direction = Self.direction { $0.pauses = .init(every: 10, for: .seconds(1)) }
        _ = direction.connectionOpened(now: Self.start)
        let first = direction.didReceive(Self.bytes(6), now: Self.start)
        #expect(first == [.write(Self.bytes(6)), .read])
        let second = direction.didReceive(Self.bytes(6), now: Self.start)
        #expect(second == [.write(Self.bytes(4)), .startTimer(Self.start + .seconds(1)), .read])
    }

    @Test("With an offset the first pause is earlier by that many bytes")
    func offset() {
        var faults = FaultProxy.Faults()
        faults.pauses = .init(every: 10, for: .seconds(1))
        var direction = FaultDirectionStateMachine(faults, offset: 7)
        _ = direction.connectionOpened(now: Self.start)
        let first = direction.didReceive(Self.bytes(6), now: Self.start)
        #expect(first == [.write(Self.bytes(3)), .startTimer(Self.start + .seconds(1)), .read])
        let second = direction.timerFired(now: Self.start + .seconds(1))
        #expect(second == [.write(Self.bytes(3))])
    }

    @Test("A cut ends the stream after exactly the given number of bytes", arguments: FaultProxy.Cut.Ending.allCases)
    func cut(ending: FaultProxy.Cut.Ending) {
        var direction = Self.direction { $0.cut = .init(after: 15, ending) }
        let began = direction.connectionOpened(now: Self.start)
        #expect(began == [.read])
        _ = direction.didReceive(Self.bytes(10), now: Self.start)
        let last = direction.didReceive(Self.bytes(10), now: Self.start)
        #expect(last == [.write(Self.bytes(5)), .cut(ending)])
        let late = direction.didReceive(Self.bytes(10), now: Self.start)
        #expect(late.isEmpty)
        var none = Self.direction { $0.cut = .init(after: 0, ending) }
        let atOnce = none.connectionOpened(now: Self.start)
        #expect(atOnce == [.cut(ending)])
    }

    @Test(
        "Bytes in flight are limited to the path's capacity, and reading stops at the limit",
        arguments: [
            (Duration.zero, nil, 256 * 1024), (.zero, 1000, 256 * 1024), (.seconds(1), nil, 64 * 1024 * 1024),
            (.milliseconds(100), 10_000_000, 256 * 1024 + 1_000_000), (.seconds(1), 1, 256 * 1024 + 1),
            (.seconds(1), 0, 256 * 1024 + 1), (.seconds(1), -1, 256 * 1024 + 1), (.seconds(-1), nil, 256 * 1024),
            (.seconds(1 << 62), .max, 64 * 1024 * 1024),
        ] as [(Duration, Int?, Int)])
    func bounded(delay: Duration, rate: Int?, hold: Int) {
        var direction = Self.direction {
            $0.delay = delay
            $0.bytesPerSecond = rate
        }
        _ = direction.connectionOpened(now: Self.start)
        var held = 0
        while held < hold {
            let part = min(hold - held, 1 << 20)
            let actions = direction.didReceive(Self.bytes(part), now: Self.start)
            held += part
            // Bytes that pass at once count as in flight until they are written.
            #expect(actions.contains(.read) == (held < hold))
        }
        let room = direction.didWrite(1, now: Self.start)
        #expect(room.contains(.read))
    }
}
