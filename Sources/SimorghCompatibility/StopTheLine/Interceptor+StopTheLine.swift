// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import Synchronization

extension Interceptor {
    /// Holds requests back while the line is stopped, and asks about each response whether to stop it.
    static func stopTheLine(_ configuration: APIClient.Configuration, _ state: ChainState) -> Interceptor? {
        guard let rules = configuration.lineRules else { return nil }
        let (gate, time) = (state.value(for: "line") { LineGate() }, configuration.time)
        return Interceptor { request, next in
            // What the action itself sends cannot wait for the action's end; nor can a refresh, for which the action may
            // be waiting. What sends nothing has nothing to wait for.
            guard !LineGate.isInsideAny, !request.isCacheOnly else { return try await next(request) }
            var limit = WaitLimit(request)
            let report = WaitReport(request, .stoppedLine)
            defer { report?.end() }
            var repeats = 0
            while true {
                let epoch = try await gate.pass(within: limit, telling: report).epoch
                report?.end()
                var response = try await next(request)
                limit?.isSent = true
                let delay: Duration
                switch try await rules.verify(response, request) {
                case .passOver: return response
                case .retry: delay = .zero
                case .stopTheLine:
                    response = await response.held(time)
                    let answer = Mutex<TransportResponse?>(nil)
                    let outcome = try await gate.outcome(refusedIn: epoch, within: limit, telling: report) {
                        [response] in
                        let (verdict, other) = LineVerdict.of(try await rules.act(response, request))
                        answer.withLock { $0 = other }
                        return verdict
                    }
                    report?.end()
                    guard case .sendAgain(let wait) = try outcome.get() else {
                        return answer.withLock { $0 } ?? response
                    }
                    delay = wait
                }
                let isTurnedAway = TransportResponse.turnsAway.contains(response.head.status.code)
                guard response.allowsReplay(of: request, isTurnedAway: isTurnedAway) else { return response }
                guard repeats < rules.maximumRepeats else {
                    throw StopTheLineExhausted(repeats: repeats, statusCode: response.head.status.code)
                }
                repeats += 1
                // Letting go of a body ends its exchange.
                response.body = .empty
                if let limit, delay >= limit.deadline.remaining { throw limit.error }
                try await time.sleep(for: delay)
            }
        }
    }
}

extension LineVerdict {
    /// What a result says to all, and what it gives to the one whose request started the action.
    fileprivate static func of(_ result: StopTheLineResult) -> (LineVerdict, TransportResponse?) {
        switch result {
        case .passOver(let response): (.keep, response)
        case .useOriginal: (.keep, nil)
        case .retry: (.sendAgain(after: .zero), nil)
        // Any number of seconds a caller may come up with, not only those a Duration can hold.
        case .retryWithDelay(let seconds):
            (.sendAgain(after: .seconds(seconds.isNaN ? 0 : min(max(0, seconds), 31_536_000))), nil)
        }
    }
}
