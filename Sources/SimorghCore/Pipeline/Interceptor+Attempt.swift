// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Interceptor {
    /// Begins one attempt on the wire: counts it, and limits its timeout to the rest of the call's time.
    static let attempt = Interceptor(isPlain: true) { request, next in
        guard let call = request.options.call else { return try await next(request) }
        call.countAttempt()
        let number = call.attempts
        var request = request
        // The call's own limit, if the rest of the call's time is the timeout of this attempt.
        var limit: Duration?
        if let deadline = call.deadline {
            let remaining = deadline.remaining
            if remaining <= request.options.timeouts.total ?? deadline.limit {
                request.options.timeouts.total = remaining
                limit = deadline.limit
            }
        }
        guard call.isObserved else {
            do { return try await next(request) } catch let error as TransportError { throw error.exceeding(limit) }
        }
        let informational = request.options.informational
        request.options.informational = { [request] response in
            informational?(response)
            call.report { .interim(InterimEvent(response, to: request, callID: call.id, showing: $0)) }
        }
        call.reporter?.willSend(&request, attempt: number)
        _ = request.options.recordWire()
        do {
            let response = try await next(request)
            call.report {
                .attempt(
                    AttemptEvent(
                        attempt: number, request: request, result: .success(response), callID: call.id, showing: $0))
            }
            if let ending = response.ending, response.body.collectedBytes == nil {
                let connection = response.connection
                ending.onCompletion { [request] timings, error in
                    call.report {
                        .bodyEnded(
                            BodyEndEvent(
                                attempt: number, request: request, connection: connection, timings: timings,
                                error: error, callID: call.id, showing: $0))
                    }
                }
            }
            return call.reporter?.didReceive(response, to: request, attempt: number) ?? response
        } catch let thrown {
            let error = (thrown as? TransportError)?.exceeding(limit) ?? thrown
            call.report {
                .attempt(
                    AttemptEvent(
                        attempt: number, request: request, result: .failure(error), callID: call.id, showing: $0))
            }
            call.reporter?.didFail(error, for: request, attempt: number)
            throw error
        }
    }
}
