// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghURLSession
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Random orders of all events: every opener, reader, sender and ping gets exactly one answer, and nothing waits forever.
@Suite("SessionWebSocketStateMachine in random orders", .timeLimit(.minutes(5)))
struct SessionWebSocketRandomTests {
    private struct Driver {
        var numbers: SeededNumbers
        var machine: SessionWebSocketStateMachine
        var now = Duration.zero
        var lastID = 0
        var waiting: Set<Int> = []
        var openings = 0
        var ends = 0
        var sends: [Int] = []
        var pings: [Int] = []
        var receives = 0
        var isCompleted = false
        var isCancelled = false
        var isOpened = false
        var delivered = 0
        var read = 0

        init(seed: UInt64) {
            numbers = SeededNumbers(seed)
            var options = WebSocketChannelOptions()
            options.subprotocols = ["a"]
            options.pingInterval = seed % 3 == 0 ? nil : .seconds(30)
            options.receiveBufferSize = seed % 2 == 0 ? 1 : 300
            options.sendBufferSize = 10
            var timeouts = Timeouts()
            timeouts.head = .seconds(60)
            machine = SessionWebSocketStateMachine(options, subprotocols: ["a"], timeouts: timeouts)
        }

        mutating func perform(_ actions: [SessionWebSocketStateMachine.Action]) {
            for action in actions { perform(action) }
        }

        private mutating func perform(_ action: SessionWebSocketStateMachine.Action) {
            switch action {
            case .resumeTask, .sendClose: #expect(!isCompleted && !isCancelled)
            case .send(_, let number):
                #expect(!isCompleted && !isCancelled)
                sends.append(number)
            case .receive:
                #expect(receives == 0 && !isCompleted && !isCancelled)
                receives += 1
            case .sendPing(let number):
                #expect(!isCompleted && !isCancelled)
                pings.append(number)
            case .cancelTask:
                #expect(!isCompleted && !isCancelled)
                isCancelled = true
            case .opened:
                openings += 1
                isOpened = true
            case .refused, .failOpening: openings += 1
            case .completeRead(let id, let result):
                answered(id)
                if case .success(.some) = result { read += 1 }
            case .completeSend(let id, _), .completePing(let id, _): answered(id)
            case .notifyPong: break
            case .ended: ends += 1
            }
        }

        private mutating func answered(_ id: Int) {
            let isFirst = waiting.remove(id) != nil
            #expect(isFirst)
        }

        private mutating func newID() -> Int {
            lastID += 1
            waiting.insert(lastID)
            return lastID
        }

        /// Applies a random event; some of them cannot happen with a real task.
        mutating func step() {
            switch numbers.next() % 22 {
            case 0, 1: perform(machine.taskOpened(subprotocol: numbers.next() % 8 == 0 ? "b" : nil, at: now))
            case 2...4 where isOpened: perform(machine.readRequested(id: newID(), at: now))
            case 5...6 where isOpened: perform(machine.sendRequested(.text("123456"), id: newID()))
            case 7 where isOpened: perform(machine.pingRequested(id: newID(), at: now))
            case 8: cancelOne()
            case 9...12 where receives > 0:
                receives -= 1
                if !machine.isOver { delivered += 1 }
                perform(machine.messageReceived(.data(Data(count: 100)), at: now))
            case 13 where receives > 0 && numbers.next() % 8 == 0:
                receives -= 1
                perform(machine.receiveFailed(POSIXError(.ENOTCONN), at: now))
            case 14...15 where !sends.isEmpty:
                let number = sends.remove(at: Int(numbers.next() % UInt64(sends.count)))
                let error = numbers.next() % 20 == 0 ? POSIXError(.EPIPE) : nil
                perform(machine.sendCompleted(number, error: error, at: now))
            case 16 where !pings.isEmpty:
                let number = pings.remove(at: Int(numbers.next() % UInt64(pings.count)))
                let error = numbers.next() % 8 == 0 ? POSIXError(.EPIPE) : nil
                perform(machine.pongReceived(number, error: error, at: now))
            case 17 where numbers.next() % 12 == 0: perform(machine.taskClosed(.normal, reason: "", at: now))
            case 18 where numbers.next() % 12 == 0: complete()
            case 19 where numbers.next() % 12 == 0:
                perform(machine.closeRequested(.normal, reason: "", at: now))
            case 20 where numbers.next() % 40 == 0: perform(machine.dropped())
            case 21:
                now += .milliseconds(Int(numbers.next() % 5000))
                perform(machine.timeAdvanced(to: now))
            default: break
            }
        }

        mutating func complete() {
            let before = isCompleted
            isCompleted = true
            perform(
                machine.taskCompleted(
                    numbers.next() % 2 == 0 ? POSIXError(.ECONNRESET) : nil,
                    response: HTTPResponse(status: numbers.next() % 2 == 0 ? .forbidden : .switchingProtocols),
                    code: numbers.next() % 2 == 0 ? .goingAway : nil, reason: "", at: now))
            if !before { #expect(machine.isFinished) }
        }

        private mutating func cancelOne() {
            if !isOpened, numbers.next() % 20 == 0 { perform(machine.openingCancelled()) }
            guard let id = waiting.randomElement(using: &numbers) else { return }
            perform(machine.readCancelled(id: id) + machine.sendCancelled(id: id) + machine.pingCancelled(id: id))
            #expect(!waiting.contains(id))
        }
    }

    @Test("The task calls back at random, and completes", arguments: 0..<200 as Range<UInt64>)
    func completes(seed: UInt64) {
        var driver = Driver(seed: seed &+ 1)
        driver.perform(driver.machine.begin())
        for _ in 0..<400 { driver.step() }
        driver.complete()
        check(&driver)
    }

    @Test("The task stops calling back: every wait ends by the clock", arguments: 0..<200 as Range<UInt64>)
    func hangs(seed: UInt64) {
        var driver = Driver(seed: seed &+ 1001)
        driver.perform(driver.machine.begin())
        for _ in 0..<Int(seed % 100) { driver.step() }
        if driver.isOpened { driver.perform(driver.machine.closeRequested(.normal, reason: "", at: driver.now)) }
        var id = 1_000_000
        for _ in 0..<1000 where !driver.machine.isFinished {
            if let deadline = driver.machine.deadline {
                driver.now = max(driver.now, deadline)
                driver.perform(driver.machine.timeAdvanced(to: driver.now))
            } else {
                // A full inbox: only a reader can go on.
                id += 1
                driver.waiting.insert(id)
                driver.perform(driver.machine.readRequested(id: id, at: driver.now))
            }
        }
        check(&driver)
    }

    private func check(_ driver: inout Driver) {
        #expect(driver.machine.isFinished)
        #expect(driver.waiting.isEmpty)
        #expect(driver.openings == 1)
        #expect(driver.ends == (driver.isOpened ? 1 : 0))
        #expect(driver.isCompleted || driver.isCancelled)
        guard driver.isOpened else { return }
        // All messages that were delivered before the end can be read after it; later calls are answered at once.
        for id in 2_000_000..<2_001_000 {
            driver.waiting.insert(id)
            driver.perform(driver.machine.readRequested(id: id, at: driver.now))
            #expect(driver.waiting.isEmpty)
            if driver.read == driver.delivered { break }
        }
        #expect(driver.read == driver.delivered)
        driver.waiting = [1, 2]
        driver.perform(driver.machine.sendRequested(.text(""), id: 1))
        driver.perform(driver.machine.pingRequested(id: 2, at: driver.now))
        #expect(driver.waiting.isEmpty)
    }
}
