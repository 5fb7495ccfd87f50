// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadStateMachineTests {
    @Test("queued, downloading, completed")
    func straight() {
        var life = DownloadStateMachine()
        #expect(life.started() == [.notify])
        #expect(life.state == .downloading)
        #expect(life.ended(.completed) == [.leave, .notify])
        #expect(life.state == .completed)
    }

    @Test("SIM22: pausing a completed download changes nothing; cancelling removes it from the list")
    func completed() {
        var life = DownloadStateMachine(.completed)
        #expect(life.pause().isEmpty)
        #expect(life.cancel() == [.forget])
        #expect(life.resume().isEmpty)
    }

    @Test("pause() stops the run once, and resume() waits until that has ended")
    func pauses() {
        var life = DownloadStateMachine()
        _ = life.started()
        #expect(life.pause() == [.notify, .stop])
        #expect(life.pause().isEmpty)
        #expect(life.resume() == [.notify])
        #expect(life.pause() == [.notify])
        #expect(life.resume() == [.notify])
        #expect(life.ended(.stopped) == [.leave, .enter])
        #expect(life.state == .queued)
        #expect(life.started() == [.notify])
    }

    @Test("A run that completes while it is being paused is complete")
    func late() {
        var life = DownloadStateMachine()
        _ = life.started()
        _ = life.pause()
        #expect(life.ended(.completed) == [.leave, .notify])
        #expect(life.state == .completed)
    }

    @Test("A download cancelled while it runs is removed when the run has ended")
    func cancels() {
        var life = DownloadStateMachine()
        _ = life.started()
        #expect(life.cancel() == [.notify, .stop])
        #expect(life.ended(.failed) == [.leave, .discard])
        var waiting = DownloadStateMachine()
        #expect(waiting.cancel() == [.notify, .leave, .discard])
    }

    @Test(
        "While the files of an idle download are moved, runs and removals wait",
        arguments: [.paused, .failed] as [DownloadState])
    func holds(at rest: DownloadState) {
        var life = DownloadStateMachine(rest)
        #expect(life.held() && !life.held())
        #expect(life.ended(.stopped) == [.leave])
        #expect(life.state == rest && life.held())
        #expect(life.resume() == [.notify])
        #expect(life.started() == [.leave])
        #expect(life.ended(.stopped) == [.leave, .enter])
        #expect(life.state == .queued && !life.held())
        var given = DownloadStateMachine(rest)
        let isGiven = given.held()
        #expect(isGiven)
        #expect(given.cancel() == [.notify, .stop])
        #expect(given.ended(.stopped) == [.leave, .discard])
    }

    @Test("A restart stops the run and enters the queue after it; only a running download restarts")
    func restarts() {
        var life = DownloadStateMachine()
        #expect(life.restart().isEmpty)
        _ = life.started()
        #expect(life.restart() == [.notify, .stop])
        #expect(life.restart().isEmpty)
        #expect(life.ended(.stopped) == [.leave, .enter])
        _ = life.started()
        _ = life.restart()
        #expect(life.pause() == [.notify])
        #expect(life.ended(.stopped) == [.leave] && life.state == .paused)
    }

    @Test("A backoff leaves the queue, and a stale timer does not end it")
    func waits() {
        var life = DownloadStateMachine()
        _ = life.started()
        #expect(life.ended(.again(.seconds(1))) == [.leave, .notify, .wake(after: .seconds(1), number: 1)])
        #expect(life.pause() == [.notify, .leave])
        #expect(life.timerFired(1).isEmpty)
        #expect(life.resume() == [.notify, .enter])
        var full = DownloadStateMachine()
        _ = full.started()
        #expect(full.ended(.diskFull) == [.leave, .notify, .watchSpace])
        #expect(full.networkBecameAvailable().isEmpty)
        #expect(full.spaceBecameAvailable() == [.notify, .enter])
    }

    @Test("Random events: one run at a time, and each that runs or is queued has its slot")
    func model() {
        var random = SeededNumbers(22)
        for _ in 0..<2000 {
            var life = DownloadStateMachine()
            var isQueued = true
            var hasSlot = false
            var isGone = false
            for _ in 0..<40 where !isGone {
                var actions: [DownloadStateMachine.Action] = []
                switch Int.random(in: 0..<10, using: &random) {
                case 0: actions = life.pause()
                case 1: actions = life.resume()
                case 2: if Int.random(in: 0..<5, using: &random) == 0 { actions = life.cancel() }
                case 3, 4:
                    if isQueued {
                        (isQueued, hasSlot) = (false, true)
                        #expect(!life.isRunning)
                        actions = life.started()
                    }
                case 5: actions = life.timerFired(Int.random(in: 0..<6, using: &random))
                case 9: actions = life.restart()
                case 6: actions = life.spaceBecameAvailable() + life.networkBecameAvailable()
                default:
                    let outcomes: [DownloadStateMachine.Outcome] = [
                        .completed, .stopped, .failed, .again(.seconds(1)), .diskFull, .offline,
                    ]
                    if life.isRunning {
                        actions = life.ended(outcomes[Int.random(in: 0..<outcomes.count, using: &random)])
                    }
                }
                for action in actions {
                    switch action {
                    case .enter:
                        #expect(!life.isRunning)
                        if !hasSlot { isQueued = true }
                    case .leave: (isQueued, hasSlot) = (false, false)
                    case .discard, .forget: isGone = true
                    default: break
                    }
                }
                #expect(!(isQueued && hasSlot))
                #expect(hasSlot == life.isRunning)
                if life.state == .downloading { #expect(life.isRunning) }
                if isQueued { #expect(life.state == .queued) }
            }
        }
    }
}
