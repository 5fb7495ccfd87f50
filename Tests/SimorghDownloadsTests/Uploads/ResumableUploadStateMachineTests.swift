// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghDownloads
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
        #expect(machine.start() == .create)
        #expect(machine.didReportOffset(0) == .send(offset: 0, count: 40))
        #expect(machine.didAccept(upTo: 40) == .send(offset: 40, count: 40))
        #expect(machine.didAccept(upTo: 80) == .send(offset: 80, count: 20))
        #expect(machine.didAccept(upTo: 100) == .finish)
    }

    @Test("An empty file is finished when created; a draft-style upload must send its completion")
    func ends() {
        var empty = machine(0)
        #expect(empty.didReportOffset(0) == .finish)
        var draft = machine(completes: true)
        #expect(draft.didReportOffset(100) == .send(offset: 100, count: 0))
        #expect(draft.didComplete() == .finish)
    }

    @Test("A known upload URL is queried for its offset, before and after a wait")
    func asks() {
        var machine = machine()
        machine.didCreateResource()
        #expect(machine.start() == .requestOffset)
        #expect(machine.didFail() == .wait(.seconds(1)))
        #expect(machine.didWait() == .requestOffset)
    }

    @Test("Delays double up to the maximum; progress resets them; too many failures end the upload")
    func waits() {
        var machine = machine(retries: 4)
        #expect(machine.didFail() == .wait(.seconds(1)))
        #expect(machine.didFail() == .wait(.seconds(2)))
        #expect(machine.didFail() == .wait(.seconds(3)))
        #expect(machine.didReportOffset(10) == .send(offset: 10, count: 90))
        for _ in 0..<4 {
            guard case .wait = machine.didFail() else {
                Issue.record("no wait")
                return
            }
            #expect(machine.didReportOffset(10) == .send(offset: 10, count: 90))
        }
        #expect(machine.didFail() == .fail)
    }

    @Test("Retry-After sets the delay unless it exceeds the maximum")
    func retryAfter() {
        var machine = machine()
        #expect(machine.didFail(after: .seconds(2)) == .wait(.seconds(2)))
        #expect(machine.didFail(after: .seconds(4)) == .fail)
    }

    @Test("A server that accepts nothing, or repeatedly loses bytes, is not queried forever")
    func noGain() {
        var still = machine()
        #expect(still.didReportOffset(10) == .send(offset: 10, count: 90))
        #expect(still.didAccept(upTo: 10) == .requestOffset)
        #expect(still.didReportOffset(10) == .send(offset: 10, count: 90))
        #expect(still.didAccept(upTo: 5) == .requestOffset)
        #expect(still.didAccept(upTo: 10) == .fail)
        var losing = machine(chunk: 10)
        _ = losing.didReportOffset(50)
        #expect(losing.didConflict() == [.requestOffset])
        #expect(losing.didReportOffset(40) == .send(offset: 40, count: 10))
        #expect(losing.didAccept(upTo: 50) == .send(offset: 50, count: 10))
        #expect(losing.didConflict() == [.requestOffset])
        #expect(losing.didReportOffset(40) == .send(offset: 40, count: 10))
        #expect(losing.didConflict() == [.fail])
    }

    @Test("An offset outside the file is a failure", arguments: [-1, 101, Int64.max, Int64.min])
    func outside(offset: Int64) {
        var machine = machine()
        #expect(machine.didReportOffset(offset) == .fail)
    }

    @Test("A lost upload URL, or a changed file, starts again, but not forever")
    func anew() {
        var machine = machine()
        _ = machine.didReportOffset(50)
        #expect(machine.didLoseResource() == [.forget, .create])
        #expect(machine.start() == .create)
        #expect(machine.didChangeFile(length: 30) == [.forget, .create])
        #expect(machine.length == 30)
        #expect(machine.didLoseResource() == [.forget, .fail])
    }

    @Test("A lost upload URL of an earlier run is not a failure; one of this run is, regardless of progress")
    func inherited() {
        var machine = machine(chunk: 50, retries: 0)
        machine.didCreateResource(earlier: true)
        #expect(machine.start() == .requestOffset)
        #expect(machine.didLoseResource() == [.forget, .create])
        machine.didCreateResource()
        #expect(machine.didLoseResource() == [.forget, .fail])
        var known = self.machine(retries: 0)
        known.didCreateResource(earlier: true)
        _ = known.didReportOffset(10)
        #expect(known.didLoseResource() == [.forget, .fail], "the upload existed in this run")
        var losing = self.machine(chunk: 50, retries: 2)
        for turn in 1...3 {
            #expect(losing.didReportOffset(0) == .send(offset: 0, count: 50))
            #expect(losing.didAccept(upTo: 50) == .send(offset: 50, count: 50))
            #expect(losing.didLoseResource() == [.forget, turn < 3 ? .create : .fail])
        }
    }

    @Test("A possibly lost upload URL is abandoned, but its record stays")
    func uncertain() {
        var machine = machine(retries: 1)
        machine.didCreateResource(earlier: true)
        #expect(machine.didLoseResource(isCertain: false) == [.abandon, .create])
        #expect(machine.start() == .create)
        machine.didCreateResource()
        #expect(machine.didLoseResource(isCertain: false) == [.abandon, .create])
        #expect(machine.didLoseResource(isCertain: false) == [.abandon, .fail])
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
        var actions = [machine.start()]
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
            case .wait: actions.append(machine.didWait())
            case .forget, .abandon: held = 0
            case .create, .requestOffset:
                switch next(6) {
                case 0: actions.append(machine.didFail())
                case 1: actions += machine.didLoseResource(isCertain: next(2) == 0)
                default: actions.append(machine.didReportOffset(held))
                }
            case .send(let offset, let count):
                #expect(offset >= 0 && count >= 0 && offset + count <= machine.length)
                switch next(8) {
                case 0:
                    held = offset + Int64(next(Int(count) + 1))
                    actions.append(machine.didFail())
                case 1: actions += machine.didConflict()
                case 2: actions += machine.didLoseResource()
                case 3: actions += machine.didChangeFile(length: Int64(next(1000)))
                default:
                    held = offset + count
                    actions.append(held == machine.length ? machine.didComplete() : machine.didAccept(upTo: held))
                }
            }
        }
    }
}
