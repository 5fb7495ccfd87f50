// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One exchange of a scripted transport: what runs for it stops at once when its task or its scope is cancelled.
package final class ScriptedExchange: CancellationScope.Member {
    private struct State {
        var isCancelled = false
        /// Stops what runs now; there is never more than one.
        var stop: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let scope: CancellationScope?

    package init(scope: CancellationScope?) {
        self.scope = scope
        if let scope, !scope.add(self) { cancel() }
    }

    package func cancel() {
        let stop = state.withLock { state in
            state.isCancelled = true
            return state.stop
        }
        stop?()
    }

    /// Leaves the scope; nothing runs any more.
    package func end() { scope?.remove(self) }

    /// Runs an operation, and does not wait for it once the exchange is cancelled, as it may be the user's code.
    package func run<Value: Sendable>(
        _ phase: TransportError.Phase, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws(TransportError) -> Value {
        let outcome = FirstOutcome<Value>()
        let task = Task {
            do {
                outcome.settle(.success(try await operation()))
            } catch let error as TransportError {
                outcome.settle(.failure(error))
            } catch is CancellationError {
                outcome.settle(.failure(.cancelled(phase: phase)))
            } catch {
                outcome.settle(
                    .failure(TransportError(.unknown, phase: phase, message: "\(error)", underlying: error)))
            }
        }
        let stop: @Sendable () -> Void = {
            outcome.settle(.failure(.cancelled(phase: phase)))
            task.cancel()
        }
        let isCancelled = state.withLock { state in
            state.stop = stop
            return state.isCancelled
        }
        if isCancelled { stop() }
        defer { state.withLock { $0.stop = nil } }
        return try await withTaskCancellationHandler {
            await outcome.value
        } onCancel: {
            stop()
        }.get()
    }

    /// Gives an answer as the options want it.
    package func respond(
        with answer: StubResponse, to request: TransportRequest
    ) async throws -> TransportResponse {
        try await answer.gate?.wait()
        let steps: [StubResponse.BodyStep]
        switch answer.content {
        case .failure(let error): throw error
        case .steps(let given): steps = given
        }
        let head = HTTPResponse(status: answer.status, headerFields: answer.headerFields)
        guard request.head.method != .head, answer.status.code != 204, answer.status.code != 304 else {
            end()
            return TransportResponse(head: head)
        }
        switch request.options.delivery {
        case .streamed:
            return TransportResponse(head: head, body: ResponseBody(ScriptedChunks(steps: steps, exchange: self)))
        case .collected(let limit):
            let body = try await Self.collect(steps, upTo: limit)
            end()
            return TransportResponse(head: head, body: ResponseBody(body))
        }
    }

    private static func collect(_ steps: [StubResponse.BodyStep], upTo limit: Int) async throws -> Data {
        var body = Data()
        for step in steps {
            switch step {
            case .wait(let gate): try await gate.wait()
            case .fail(let error): throw error
            case .bytes(let bytes):
                body.append(bytes)
                guard body.count <= limit else {
                    throw TransportError(
                        .dataLengthExceedsMaximum, phase: .body,
                        message: "the response body is larger than the bound of \(limit) bytes",
                        requestMayHaveBeenSent: true)
                }
            }
        }
        return body
    }
}
