// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghTesting
import Testing

@Suite("A direction with faults", .timeLimit(.minutes(5)))
struct FaultLaneTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private static func lane(_ change: (inout FaultProxy.Faults) -> Void = { _ in }) -> FaultLane {
        var faults = FaultProxy.Faults()
        change(&faults)
        return FaultLane(faults)
    }

    private static func bytes(_ count: Int) -> ByteBuffer { ByteBuffer(repeating: 7, count: count) }

    @Test("With nothing wrong bytes pass at once, and more are read")
    func plain() {
        var lane = Self.lane()
        let began = lane.began(now: Self.start)
        #expect(began == [.read])
        let passed = lane.received(Self.bytes(10), now: Self.start)
        #expect(passed == [.write(Self.bytes(10)), .read])
        let ended = lane.ended(now: Self.start)
        #expect(ended == [.finish])
    }

    @Test("Bytes, and their end, come later by the delay")
    func delayed() {
        var lane = Self.lane { $0.delay = .milliseconds(80) }
        _ = lane.began(now: Self.start)
        let due = Self.start + .milliseconds(80)
        let waits = lane.received(Self.bytes(10), now: Self.start)
        #expect(waits == [.wake(due), .read])
        let ended = lane.ended(now: Self.start + .milliseconds(1))
        #expect(ended.isEmpty)
        let passed = lane.woke(now: due)
        #expect(passed == [.write(Self.bytes(10)), .wake(due + .milliseconds(1))])
        let last = lane.woke(now: due + .milliseconds(1))
        #expect(last == [.finish])
    }

    @Test("No more passes in a second than may")
    func bandwidth() {
        var lane = Self.lane { $0.bytesPerSecond = 1000 }
        _ = lane.began(now: Self.start)
        var now = Self.start
        var actions = lane.received(Self.bytes(2500), now: now)
        var passed = 0
        while true {
            for case .write(let part) in actions { passed += part.readableBytes }
            // What passes takes its time behind it, so the first 100 are free.
            #expect(passed <= 100 + Int((now - Self.start).nanoseconds / 1_000_000))
            guard case .wake(let next)? = actions.first(where: { if case .wake = $0 { true } else { false } }) else {
                break
            }
            now = next
            actions = lane.woke(now: now)
        }
        #expect(passed == 2500)
        #expect(now - Self.start == .milliseconds(2400))
    }

    @Test("Pauses come after so many bytes, however they are cut")
    func pauses() {
        var lane = Self.lane { $0.pauses = .init(every: 10, for: .seconds(1)) }
        _ = lane.began(now: Self.start)
        let first = lane.received(Self.bytes(6), now: Self.start)
        #expect(first == [.write(Self.bytes(6)), .read])
        let second = lane.received(Self.bytes(6), now: Self.start)
        #expect(second == [.write(Self.bytes(4)), .wake(Self.start + .seconds(1)), .read])
    }

    @Test("After so many bytes it ends, to the byte", arguments: FaultProxy.Cut.Ending.allCases)
    func cut(ending: FaultProxy.Cut.Ending) {
        var lane = Self.lane { $0.cut = .init(after: 15, ending) }
        let began = lane.began(now: Self.start)
        #expect(began == [.read])
        _ = lane.received(Self.bytes(10), now: Self.start)
        let last = lane.received(Self.bytes(10), now: Self.start)
        #expect(last == [.write(Self.bytes(5)), .cut(ending)])
        let late = lane.received(Self.bytes(10), now: Self.start)
        #expect(late.isEmpty)
        var none = Self.lane { $0.cut = .init(after: 0, ending) }
        let atOnce = none.began(now: Self.start)
        #expect(atOnce == [.cut(ending)])
    }

    @Test("Nothing more is read while too much is on its way")
    func bounded() {
        var lane = Self.lane { $0.delay = .seconds(1) }
        _ = lane.began(now: Self.start)
        let full = lane.received(Self.bytes(FaultLane.mostHeld), now: Self.start)
        #expect(full == [.wake(Self.start + .seconds(1))])
        let passed = lane.woke(now: Self.start + .seconds(1))
        #expect(passed == [.write(Self.bytes(FaultLane.mostHeld))])
        let room = lane.wrote(FaultLane.mostHeld, now: Self.start + .seconds(1))
        #expect(room == [.read])
    }
}
