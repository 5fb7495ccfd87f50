// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO
import SimorghRealtime
import TestSupport
import Testing

/// 100,000 events by default; a million with `SIMORGH_THOROUGH=1` in the environment.
@Suite("ExchangeStateMachine: random events", .timeLimit(.minutes(60)))
struct ExchangeStateMachineRandomTests {
    /// The expected state of the exchange.
    private struct Account {
        var isRunning = false
        var hasHead = false
        var anyByte = false
        var isUploading = false
        var isIdle = false
        var wantsClose = false
        var tlsTruncated = false
        var interim = 0
        var shape = ExchangeStateMachine.Shape(status: 0, keepsAlive: true, isUntilClose: false)

        /// Resets the state at the end of an exchange, except for facts about the connection.
        mutating func end() {
            let tlsTruncated = tlsTruncated
            self = Account()
            self.tlsTruncated = tlsTruncated
        }
    }

    @Test(
        "No order of events reuses a connection that is not clean, or takes a truncated body for a complete one",
        arguments: 1...20)
    func random(seed: Int) async {
        var random = SeededNumbers(UInt64(seed))
        var machine = ExchangeStateMachine()
        var account = Account()
        var (reused, truncated) = (0, 0)
        var step = 0
        while step < Thoroughness.events(5_000, seeds: 20) {
            if step % 256 == 0 { await Task.yield() }
            let fault: String?
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<30:
                // The owner has one exchange at a time.
                guard !account.isRunning else { continue }
                // A new connection replaces one whose TLS was cut off or that has ended.
                if account.tlsTruncated || Int.random(in: 0..<4, using: &random) == 0 {
                    machine = ExchangeStateMachine()
                    account.tlsTruncated = false
                }
                account.end()
                account.isRunning = true
                account.isUploading = Int.random(in: 0..<4, using: &random) == 0
                account.isIdle = Bool.random(using: &random)
                account.wantsClose = Int.random(in: 0..<8, using: &random) == 0
                machine.began(
                    hasUpload: account.isUploading, isIdleConnection: account.isIdle, wantsClose: account.wantsClose)
                fault = machine.isRunning && machine.isWaitingForHead ? nil : "it did not begin"
            case 30..<45:
                machine.uploaded()
                account.isUploading = false
                fault = nil
            case 45..<55:
                machine.receivedBytes()
                account.anyByte = true
                fault = nil
            case 55..<80:
                // A second head ends an exchange, so this case must be rare.
                guard !account.hasHead || Int.random(in: 0..<16, using: &random) == 0 else { continue }
                fault = Self.head(&machine, &account, &random)
            case 80..<92:
                let action = machine.receivedEnd()
                fault = Self.judge(action, account)
                if case .complete(reuse: true) = action { reused += 1 }
                if account.hasHead { account.end() }
            case 92..<95:
                machine.tlsTruncated()
                account.tlsTruncated = true
                fault = nil
            case 95..<98:
                let action = machine.lost()
                fault = Self.judge(action, account)
                if action == .truncated { truncated += 1 }
                account.end()
            default:
                machine.abandoned()
                account.end()
                fault = nil
            }
            if let fault {
                Issue.record("seed \(seed), step \(step): \(fault)")
                return
            }
            guard machine.isRunning == account.isRunning else {
                Issue.record("seed \(seed), step \(step): running is \(machine.isRunning)")
                return
            }
            step += 1
        }
        #expect(reused > 40 && truncated > 20, "seed \(seed)")
    }

    private static func head(
        _ machine: inout ExchangeStateMachine, _ account: inout Account, _ random: inout SeededNumbers
    ) -> String? {
        let statuses = [
            100, 103, 101, 99, 200, 200, 200, 200, 200, 204, 304, 404, 413, 500, 999, 1000,
        ]
        let shape = ExchangeStateMachine.Shape(
            status: statuses[Int.random(in: 0..<statuses.count, using: &random)],
            keepsAlive: Int.random(in: 0..<4, using: &random) != 0,
            isUntilClose: Int.random(in: 0..<4, using: &random) == 0)
        let action = machine.received(head: shape)
        let isDue = account.isRunning && !account.hasHead
        switch action {
        case .refuse:
            let isOne = (100...999).contains(shape.status) && shape.status != 101
            if isDue, isOne, shape.status >= 200 || account.interim < ExchangeStateMachine.maximumInterimResponses {
                return "refuses \(shape)"
            }
            // The owner closes the connection.
            machine.abandoned()
            account.end()
        case .skip:
            account.interim += 1
            if !isDue || !(100..<200).contains(shape.status)
                || account.interim > ExchangeStateMachine.maximumInterimResponses
            {
                return "skips \(shape)"
            }
        case .deliver(let stopsUpload):
            if !isDue || !(200...999).contains(shape.status) { return "delivers \(shape)" }
            if stopsUpload != (account.isUploading && shape.status >= 300) {
                return "stops an upload that is complete or may continue, or fails to stop one"
            }
            account.hasHead = true
            account.shape = shape
        }
        return nil
    }

    private static func judge(_ action: ExchangeStateMachine.EndAction, _ account: Account) -> String? {
        let isCutShort = account.shape.isUntilClose && account.tlsTruncated
        switch action {
        case .ignore: return account.hasHead ? "ignores the end" : nil
        case .truncated: return account.hasHead && isCutShort ? nil : "a whole body is called truncated"
        case .complete(let reuse):
            if !account.hasHead || isCutShort { return "a part is called whole" }
            let isClean =
                account.shape.keepsAlive && !account.shape.isUntilClose && !account.isUploading && !account.wantsClose
                && !account.tlsTruncated
            return reuse == isClean ? nil : "reuse is \(reuse)"
        }
    }

    private static func judge(_ action: ExchangeStateMachine.LossAction, _ account: Account) -> String? {
        let expected: ExchangeStateMachine.LossAction
        if !account.isRunning {
            expected = .none
        } else if account.hasHead {
            expected = .truncated
        } else if !account.anyByte, account.isIdle {
            expected = .stale
        } else {
            expected = .withoutHead(anyByte: account.anyByte)
        }
        return action == expected ? nil : "a loss is \(action), not \(expected)"
    }
}
