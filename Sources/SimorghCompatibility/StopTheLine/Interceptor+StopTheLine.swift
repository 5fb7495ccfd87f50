// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import Synchronization

extension Interceptor {
    /// Returns a step that calls the client's ``StopTheLine`` handler for each response, and holds requests back while
    /// its action runs.
    ///
    /// - Returns: The step; `nil` if the client has no handler.
    static func stopTheLine(_ configuration: APIClient.Configuration, state: PipelineState) -> Interceptor? {
        guard let rules = configuration.stopTheLineRules else { return nil }
        let (gate, time) = (state.value(for: "line") { StopTheLineGate() }, configuration.time)
        return Interceptor { request, next in
            // A request of the action itself must not wait for the action, and neither must a token refresh that the
            // action waits for: both would deadlock. A request that only reads the cache does not reach the server.
            guard !StopTheLineGate.isInsideAny, !request.isCacheOnly else { return try await next(request) }
            var limit = WaitLimit(request)
            let report = WaitReport(request, cause: .stoppedLine)
            defer { report?.end() }
            var repeats = 0
            while true {
                let epoch = try await gate.pass(within: limit, report: report).epoch
                report?.end()
                var response = try await next(request)
                limit?.isSent = true
                let delay: Duration
                switch try await rules.verify(response, request) {
                case .passOver: return response
                case .retry: delay = .zero
                case .stopTheLine:
                    response = await response.buffered(time)
                    let answer = Mutex<TransportResponse?>(nil)
                    let outcome = try await gate.outcome(refusedIn: epoch, within: limit, report: report) {
                        [response] in
                        let (decision, other) = StopTheLineDecision.of(try await rules.act(response, request))
                        answer.withLock { $0 = other }
                        return decision
                    }
                    report?.end()
                    guard case .sendAgain(let wait) = try outcome.get() else {
                        return answer.withLock { $0 } ?? response
                    }
                    delay = wait
                }
                let wasRejectedBeforeProcessing = TransportResponse.rejectedBeforeProcessing.contains(
                    response.head.status.code)
                guard response.allowsReplay(of: request, wasRejectedBeforeProcessing: wasRejectedBeforeProcessing)
                else { return response }
                guard repeats < rules.maximumRepeats else {
                    throw StopTheLineExhaustedError(repeats: repeats, statusCode: response.head.status.code)
                }
                repeats += 1
                // Releasing the body ends its exchange.
                response.body = .empty
                if let limit, delay >= limit.deadline.remaining { throw limit.error }
                try await time.sleep(for: delay)
            }
        }
    }
}

extension StopTheLineDecision {
    /// Returns the decision for all rejected requests, and the response for the one that started the action.
    fileprivate static func of(_ result: StopTheLineResult) -> (StopTheLineDecision, TransportResponse?) {
        switch result {
        case .passOver(let response): (.keep, response)
        case .useOriginal: (.keep, nil)
        case .retry: (.sendAgain(after: .zero), nil)
        // A `Duration` cannot hold every `Double`, so the delay is clamped to 0 s...1 year.
        case .retryWithDelay(let seconds):
            (.sendAgain(after: .seconds(seconds.isNaN ? 0 : min(max(0, seconds), 31_536_000))), nil)
        }
    }
}
