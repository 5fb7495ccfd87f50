// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension Interceptor {
    /// Returns a step that sends a second attempt beside a slow request; `nil` if hedging is turned off.
    static func hedging(_ configuration: APIClient.Configuration) -> Interceptor? {
        guard let settings = configuration.resilience.hedging else { return nil }
        let time = configuration.time
        return Interceptor { request, next in
            guard settings.maximum > 0, request.body.replayability != .once,
                RequestMethod(rawValue: request.head.method.rawValue).isIdempotent
            else { return try await next(request) }
            return try await race(request, settings: settings, time: time, next: next)
        }
    }

    private enum Event: Sendable {
        case timer
        case ended(Result<TransportResponse, any Error>)

        /// True if the response can be returned at once; after a transient status a later attempt may be better.
        var isGood: Bool {
            guard case .ended(.success(let response)) = self else { return false }
            return !RetryPolicy().retryableStatusCodes.contains(response.head.status.code)
        }
    }

    private static func race(
        _ request: TransportRequest, settings: Hedging, time: TimeSource, next: @escaping Next
    ) async throws -> TransportResponse {
        try await withThrowingTaskGroup(of: Event.self) { group in
            var machine = HedgingStateMachine(maximum: settings.maximum)
            var actions = machine.start()
            var best: Result<TransportResponse, any Error>?
            var sent = 0
            defer { group.cancelAll() }
            while true {
                for action in actions {
                    switch action {
                    case .send:
                        sent += 1
                        if sent > 1, let call = request.options.call {
                            call.report(.hedgeStarted(HedgeEvent(requests: sent, callID: call.id)))
                        }
                        group.addTask {
                            do {
                                return .ended(.success(try await next(request)))
                            } catch {
                                return .ended(.failure(error))
                            }
                        }
                    case .startTimer:
                        group.addTask {
                            try await time.sleep(for: settings.delay)
                            return .timer
                        }
                    case .finish:
                        guard let best else { break }
                        var response = try best.get()
                        response.attempts = max(response.attempts, request.options.call?.attempts ?? 1)
                        return response
                    }
                }
                guard let event = try await group.next() else { throw CancellationError() }
                switch event {
                case .timer: actions = machine.timerFired()
                case .ended(let result):
                    // A response with any status is preferred to an error.
                    switch (best, result) {
                    case (.success?, .failure): break
                    default: best = result
                    }
                    actions = machine.ended(isGood: event.isGood)
                }
            }
        }
    }
}
