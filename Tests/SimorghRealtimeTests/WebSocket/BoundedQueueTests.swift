// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghSupport
import TestSupport
import Testing

/// The bounded queue of a WebSocket observer, whose cost is the bytes of messages, and the overflow policies.
@Suite(.timeLimit(.minutes(5)))
struct BoundedQueueTests {
    private struct Backlog {
        typealias Queue = BoundedQueue<WebSocketObserver.Entry>

        var queue: Queue
        let overflow: WebSocketBuffer.Overflow

        init(_ bounds: WebSocketBuffer) {
            queue = Queue(maximumCount: bounds.events, maximumCost: bounds.bytes)
            overflow = bounds.overflow
        }

        var count: Int { queue.count }
        var bytes: Int { queue.cost }
        var suspends: Bool { overflow == .suspend && queue.isFull }
        var remainingCapacity: Int { queue.spareCost }

        mutating func offer(_ event: WebSocketEvent, isLast: Bool = false) -> OfferOutcome {
            queue.offer(WebSocketObserver.Entry(event), overflow: overflow, isLast: isLast)
        }

        mutating func takeFirst() -> WebSocketEvent? { queue.popFirst()?.event }
    }

    private func message(_ number: Int, bytes: Int = 1) -> WebSocketEvent {
        .message(.data(Data(repeating: UInt8(truncatingIfNeeded: number), count: bytes)))
    }

    @Test("dropOldest drops the oldest events and counts them")
    func dropsOldest() {
        var backlog = Backlog(WebSocketBuffer(events: 3))
        for number in 0..<3 { #expect(backlog.offer(message(number)) == .added(dropping: 0)) }
        #expect(backlog.offer(message(3)) == .added(dropping: 1))
        #expect(backlog.takeFirst() == message(1))
        #expect(backlog.count == 2)
        #expect(backlog.bytes == 2)
    }

    @Test("The bound in bytes holds, except for a single message")
    func bytes() {
        var bounds = WebSocketBuffer(events: 100)
        bounds.bytes = 10
        var backlog = Backlog(bounds)
        #expect(backlog.offer(message(0, bytes: 50)) == .added(dropping: 0))
        #expect(backlog.offer(message(1, bytes: 4)) == .added(dropping: 1))
        #expect(backlog.offer(message(2, bytes: 6)) == .added(dropping: 0))
        #expect(backlog.offer(message(3, bytes: 5)) == .added(dropping: 2))
        #expect(backlog.bytes == 5)
    }

    @Test("fail ends the stream at the first event past the bound")
    func overflow() {
        var backlog = Backlog(WebSocketBuffer(events: 2, overflow: .fail))
        #expect(backlog.offer(.connected) == .added(dropping: 0))
        #expect(backlog.offer(message(1)) == .added(dropping: 0))
        #expect(backlog.offer(message(2)) == .overflow)
        #expect(backlog.count == 2)
    }

    @Test("suspend suspends the reader at the bound")
    func suspension() {
        var backlog = Backlog(WebSocketBuffer(events: 2, overflow: .suspend))
        #expect(!backlog.suspends)
        _ = backlog.offer(message(0))
        #expect(!backlog.suspends)
        _ = backlog.offer(message(1))
        #expect(backlog.suspends)
        // An event that cannot wait is kept.
        #expect(backlog.offer(.connected) == .added(dropping: 0))
        _ = backlog.takeFirst()
        #expect(backlog.suspends)
        _ = backlog.takeFirst()
        #expect(!backlog.suspends)
    }

    @Test(
        "A message that fits into spareBytes is kept, and nothing is suspended before it",
        arguments: [.dropOldest, .suspend, .fail] as [WebSocketBuffer.Overflow])
    func spareRoom(overflow: WebSocketBuffer.Overflow) {
        var bounds = WebSocketBuffer(events: 4, overflow: overflow)
        bounds.bytes = 10
        var backlog = Backlog(bounds)
        for (spare, size) in [(10, 3), (7, 7), (0, 0)] {
            #expect(backlog.remainingCapacity == spare)
            guard spare > 0 else { break }
            #expect(!backlog.suspends)
            #expect(backlog.offer(message(0, bytes: size)) == .added(dropping: 0))
        }
        _ = backlog.takeFirst()
        for _ in 0..<3 {
            #expect(backlog.remainingCapacity == 3)
            #expect(backlog.offer(message(1, bytes: 0)) == .added(dropping: 0))
        }
        #expect(backlog.count == 4 && backlog.remainingCapacity == 0)
    }

    @Test("suspend keeps events that cannot wait up to slack and slackCost, then drops the newest, never the last")
    func slack() {
        var bounds = WebSocketBuffer(events: 2, overflow: .suspend)
        bounds.bytes = 10
        var backlog = Backlog(bounds)
        #expect(backlog.offer(message(0, bytes: 1000)) == .added(dropping: 0))
        #expect(backlog.offer(message(1, bytes: Backlog.Queue.slackCost)) == .dropped)
        #expect(backlog.offer(message(2, bytes: 1000)) == .added(dropping: 0))
        while backlog.count < 2 + Backlog.Queue.slack { _ = backlog.offer(.connected) }
        #expect(backlog.offer(.reconnecting(attempt: 1, delay: 1)) == .dropped)
        #expect(backlog.offer(.disconnected(code: .normal, reason: ""), isLast: true) == .added(dropping: 0))
        #expect(backlog.takeFirst() == message(0, bytes: 1000))
        #expect(backlog.takeFirst() == message(2, bytes: 1000))
    }

    @Test(
        "A pong displaces no message and does not overflow",
        arguments: [.dropOldest, .suspend, .fail] as [WebSocketBuffer.Overflow])
    func pongs(overflow: WebSocketBuffer.Overflow) throws {
        var observer = WebSocketObserver(WebSocketBuffer(events: 2, overflow: overflow))
        for event in [.pong, message(1), .pong] { _ = observer.add(.init(event)) }
        #expect(observer.buffered.count == 2 && observer.dropped == 1)
        #expect(try observer.take().taken?.get()?.event == .pong)
        #expect(try observer.take().taken?.get()?.event == message(1))
        #expect(observer.buffered.isEmpty)
    }

    @Test("Random offers and takes keep the order and the bounds", arguments: 1...20 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var random = SeededNumbers(seed)
        var bounds = WebSocketBuffer(events: .random(in: 1...200, using: &random))
        bounds.bytes = .random(in: 1...2000, using: &random)
        var backlog = Backlog(bounds)
        var model: [WebSocketEvent] = []
        for step in 0..<5000 {
            if Bool.random(using: &random) || Bool.random(using: &random) {
                let event = message(step, bytes: .random(in: 0...100, using: &random))
                model.append(event)
                guard case .added(let dropped) = backlog.offer(event) else {
                    Issue.record("seed \(seed), step \(step): refused")
                    return
                }
                model.removeFirst(dropped)
            } else {
                #expect(backlog.takeFirst() == (model.isEmpty ? nil : model.removeFirst()), "seed \(seed)")
            }
            guard backlog.count == model.count, backlog.count <= bounds.events,
                backlog.count <= 1 || backlog.bytes <= bounds.bytes
            else {
                Issue.record("seed \(seed), step \(step): \(backlog.count) events, \(backlog.bytes) bytes")
                return
            }
        }
    }
}
