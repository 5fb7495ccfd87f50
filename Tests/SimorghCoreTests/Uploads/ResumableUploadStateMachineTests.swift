// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ResumableUploadStateMachineTests {
    private func machine(
        _ length: Int64 = 100, chunk: Int64? = nil, completes: Bool = false, retries: Int = 2
    ) -> ResumableUploadStateMachine {
        ResumableUploadStateMachine(
            length: length, chunkSize: chunk, completesBySending: completes, retries: retries, delay: .seconds(1),
            maximumDelay: .seconds(3))
    }

    @Test("An upload is created, sent in chunks, and finished")
    func chunks() {
        var machine = machine(chunk: 40)
        #expect(machine.began() == .create)
        #expect(machine.has(0) == .send(offset: 0, count: 40))
        #expect(machine.accepted(40) == .send(offset: 40, count: 40))
        #expect(machine.accepted(80) == .send(offset: 80, count: 20))
        #expect(machine.accepted(100) == .finish)
    }

    @Test("An empty file is finished when created; a draft-style upload must send its completion")
    func ends() {
        var empty = machine(0)
        #expect(empty.has(0) == .finish)
        var draft = machine(completes: true)
        #expect(draft.has(100) == .send(offset: 100, count: 0))
        #expect(draft.isComplete() == .finish)
    }

    @Test("A known upload URL is queried for its offset, before and after a wait")
    func asks() {
        var machine = machine()
        machine.didCreateResource()
        #expect(machine.began() == .ask)
        #expect(machine.failed() == .wait(.seconds(1)))
        #expect(machine.waited() == .ask)
    }

    @Test("Delays double up to the maximum; progress resets them; too many failures end the upload")
    func waits() {
        var machine = machine(retries: 4)
        #expect(machine.failed() == .wait(.seconds(1)))
        #expect(machine.failed() == .wait(.seconds(2)))
        #expect(machine.failed() == .wait(.seconds(3)))
        #expect(machine.has(10) == .send(offset: 10, count: 90))
        for _ in 0..<4 {
            guard case .wait = machine.failed() else {
                Issue.record("no wait")
                return
            }
            #expect(machine.has(10) == .send(offset: 10, count: 90))
        }
        #expect(machine.failed() == .fail)
    }

    @Test("Retry-After sets the delay unless it exceeds the maximum")
    func retryAfter() {
        var machine = machine()
        #expect(machine.failed(after: .seconds(2)) == .wait(.seconds(2)))
        #expect(machine.failed(after: .seconds(4)) == .fail)
    }

    @Test("A server that accepts nothing, or repeatedly loses bytes, is not queried forever")
    func noGain() {
        var still = machine()
        #expect(still.has(10) == .send(offset: 10, count: 90))
        #expect(still.accepted(10) == .ask)
        #expect(still.has(10) == .send(offset: 10, count: 90))
        #expect(still.accepted(5) == .ask)
        #expect(still.accepted(10) == .fail)
        var losing = machine(chunk: 10)
        _ = losing.has(50)
        #expect(losing.didConflict() == [.ask])
        #expect(losing.has(40) == .send(offset: 40, count: 10))
        #expect(losing.accepted(50) == .send(offset: 50, count: 10))
        #expect(losing.didConflict() == [.ask])
        #expect(losing.has(40) == .send(offset: 40, count: 10))
        #expect(losing.didConflict() == [.fail])
    }

    @Test("An offset outside the file is a failure", arguments: [-1, 101, Int64.max, Int64.min])
    func outside(offset: Int64) {
        var machine = machine()
        #expect(machine.has(offset) == .fail)
    }

    @Test("A lost upload URL, or a changed file, starts again, but not forever")
    func anew() {
        var machine = machine()
        _ = machine.has(50)
        #expect(machine.didLoseResource() == [.forget, .create])
        #expect(machine.began() == .create)
        #expect(machine.fileChanged(length: 30) == [.forget, .create])
        #expect(machine.length == 30)
        #expect(machine.didLoseResource() == [.forget, .fail])
    }

    @Test("A lost upload URL of an earlier run is not a failure; one of this run is, regardless of progress")
    func inherited() {
        var machine = machine(chunk: 50, retries: 0)
        machine.didCreateResource(earlier: true)
        #expect(machine.began() == .ask)
        #expect(machine.didLoseResource() == [.forget, .create])
        machine.didCreateResource()
        #expect(machine.didLoseResource() == [.forget, .fail])
        var known = self.machine(retries: 0)
        known.didCreateResource(earlier: true)
        _ = known.has(10)
        #expect(known.didLoseResource() == [.forget, .fail], "the upload existed in this run")
        var losing = self.machine(chunk: 50, retries: 2)
        for turn in 1...3 {
            #expect(losing.has(0) == .send(offset: 0, count: 50))
            #expect(losing.accepted(50) == .send(offset: 50, count: 50))
            #expect(losing.didLoseResource() == [.forget, turn < 3 ? .create : .fail])
        }
    }

    @Test("A possibly lost upload URL is abandoned, but its record stays")
    func uncertain() {
        var machine = machine(retries: 1)
        machine.didCreateResource(earlier: true)
        #expect(machine.didLoseResource(isCertain: false) == [.leave, .create])
        #expect(machine.began() == .create)
        machine.didCreateResource()
        #expect(machine.didLoseResource(isCertain: false) == [.leave, .create])
        #expect(machine.didLoseResource(isCertain: false) == [.leave, .fail])
    }

    @Test("The machine ends and never sends bytes outside the file, in any order of events", arguments: 0..<200)
    func anyOrder(seed: Int) {
        var state = UInt64(seed + 1) &* 0x9E37_79B9_7F4A_7C15
        func next(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }
        var machine = machine(1000, chunk: Int64(next(300) + 1), completes: seed.isMultiple(of: 2), retries: 5)
        var actions = [machine.began()]
        var steps = 0
        var held: Int64 = 0
        while !actions.isEmpty {
            steps += 1
            guard steps < 20000 else {
                Issue.record("the machine does not end")
                return
            }
            switch actions.removeFirst() {
            case .finish, .fail: return
            case .wait: actions.append(machine.waited())
            case .forget, .leave: held = 0
            case .create, .ask:
                switch next(6) {
                case 0: actions.append(machine.failed())
                case 1: actions += machine.didLoseResource(isCertain: next(2) == 0)
                default: actions.append(machine.has(held))
                }
            case .send(let offset, let count):
                #expect(offset >= 0 && count >= 0 && offset + count <= machine.length)
                switch next(8) {
                case 0:
                    held = offset + Int64(next(Int(count) + 1))
                    actions.append(machine.failed())
                case 1: actions += machine.didConflict()
                case 2: actions += machine.didLoseResource()
                case 3: actions += machine.fileChanged(length: Int64(next(1000)))
                default:
                    held = offset + count
                    actions.append(held == machine.length ? machine.isComplete() : machine.accepted(held))
                }
            }
        }
    }
}
