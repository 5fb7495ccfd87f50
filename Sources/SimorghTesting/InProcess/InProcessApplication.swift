// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport
import Synchronization

/// The responder's side of one exchange: its task, and what it hands to the client.
final class InProcessApplication: Sendable {
    let upload: InProcessUpload
    let handoff = BodyHandoff()
    private let responseHead = Waiter<HTTPResponse, any Error>()
    private let state = Mutex(State())

    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    /// Creates the side of one exchange.
    ///
    /// - Parameters:
    ///   - body: The body of the request.
    ///   - progress: The counter of body bytes; `nil` if upload progress is not reported.
    init(_ body: RequestBody, progress: UploadProgressReporter?) {
        upload = InProcessUpload(body, reporter: progress)
    }

    /// Starts the responder's task, which lasts until the body of the response is written.
    func start(_ request: InProcessRequest, responder: @escaping InProcessTransport.Responder) {
        let (responseHead, handoff) = (responseHead, handoff)
        // The call may have been cancelled on another thread.
        guard !state.withLock({ $0.isCancelled }) else { return }
        let started = Task {
            do {
                let response = try await responder(request)
                guard responseHead.settle(.success(response.head)),
                    Self.hasBody(response.head, method: request.head.method)
                else { return }
                let writer = InProcessBodyWriter(handoff)
                try await response.write(writer)
                writer.finish()
            } catch {
                if responseHead.settle(.failure(Self.headFailure(error))) { return }
                handoff.end(with: .failed(Self.bodyFailure(error)))
            }
        }
        let isCancelled = state.withLock { state in
            state.task = started
            return state.isCancelled
        }
        if isCancelled { started.cancel() }
    }

    /// Waits for the head of the response.
    ///
    /// - Parameter exchange: The exchange, whose timeouts end the wait.
    /// - Returns: The head.
    /// - Throws: The responder's error, that of the request's body, or `TransportError` if a timeout passes.
    func head(within exchange: ScriptedExchange) async throws -> HTTPResponse {
        try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            group.addTask { try await self.responseHead.value() }
            group.addTask { throw try await self.upload.failure.value() }
            group.addTask {
                try await self.waitForHeadTimeout(of: exchange)
                throw CancellationError()
            }
            defer { group.cancelAll() }
            guard let head = try await group.next() else { throw CancellationError() }
            // The responder may have handled the error of the request's body.
            if let error = upload.error { throw error }
            return head
        }
    }

    /// Returns true if a response has a body.
    static func hasBody(_ head: HTTPResponse, method: HTTPRequest.Method) -> Bool {
        method != .head && head.status.code != 204 && head.status.code != 304
    }

    private func waitForHeadTimeout(of exchange: ScriptedExchange) async throws {
        let upload = upload
        try await exchange.headTimeout(progress: upload.progress) {
            guard upload.isSent else { return false }
            exchange.bodyWasSent()
            return true
        }
    }

    /// Ends the exchange: the responder's task is cancelled, and what it writes is dropped.
    ///
    /// A second call has no effect.
    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        responseHead.settle(.failure(CancellationError()))
        handoff.close()
        task?.cancel()
    }

    /// Returns the error of the call: a `CancellationError` only if the call was cancelled.
    private static func headFailure(_ error: any Error) -> any Error {
        guard error is CancellationError, !Task.isCancelled else { return error }
        return TransportError(
            .unknown, phase: .head, message: "the responder threw CancellationError, but was not cancelled",
            underlying: error)
    }

    private static func bodyFailure(_ error: any Error) -> TransportError {
        error as? TransportError
            ?? TransportError(
                .networkConnectionLost, phase: .body, message: "the responder failed while it wrote the body: \(error)",
                underlying: error)
    }
}
