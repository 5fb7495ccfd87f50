// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct BoundedSourceTests {
    private struct Item: BoundedItem, Equatable {
        let cost: Int
    }

    private enum Fault: Error { case lost, busy, cancelled }

    private typealias Source = BoundedSource<Item, Fault>

    @Test("Items are read first, then the failure once, then the end any number of times")
    func order() {
        var source = Source(BoundedQueue())
        #expect(source.take() == nil)
        for cost in 1...3 { source.queue.append(Item(cost: cost)) }
        #expect(source.finish(.lost) == nil && source.isOver)
        // The first end applies.
        #expect(source.finish(.busy, end: .failure(.busy)) == nil)
        for cost in 1...3 { #expect(source.take() == .success(Item(cost: cost))) }
        #expect(source.queue.cost == 0)
        #expect(source.take() == .failure(.lost))
        #expect(source.take() == .success(nil) && source.take() == .success(nil))
    }

    @Test("A failure that does not end the source is returned to the waiting reader, and items can follow")
    func failure() {
        var source = Source(BoundedQueue())
        source.failure = .lost
        #expect(source.take() == .failure(.lost))
        #expect(source.take() == nil && !source.isOver)
    }

    @Test("A reader waits for an item or the end, and a second reader fails", arguments: [true, false])
    func reader(isEnd: Bool) async {
        let taken = await withUnsafeContinuation { (reader: Source.Reader) in
            var source = Source(BoundedQueue())
            #expect(source.read(reader, wait: 1, busy: .failure(.busy)) == nil && source.isAwaited)
            #expect(source.read(reader, wait: 2, busy: .failure(.busy)) == .failure(.busy))
            #expect(source.wakeAtEnd() == nil)
            if isEnd {
                source.finish(.lost)?.resume()
            } else {
                source.takeReader()?.resume(returning: .success(Item(cost: 7)))
            }
            #expect(!source.isAwaited)
        }
        #expect(taken == (isEnd ? .failure(.lost) : .success(Item(cost: 7))))
    }

    @Test("A cancellation ends only its own wait")
    func cancellation() async {
        let taken = await withUnsafeContinuation { (reader: Source.Reader) in
            var source = Source(BoundedQueue())
            let waits = [source.nextWait(), source.nextWait()]
            #expect(source.read(reader, wait: waits[1], busy: .failure(.busy)) == nil)
            #expect(source.cancel(wait: waits[0]) == nil && source.isAwaited)
            source.cancel(wait: waits[1])?.resume(returning: .failure(.cancelled))
            _ = source.cancel(wait: waits[1])
        }
        #expect(taken == .failure(.cancelled))
    }
}
