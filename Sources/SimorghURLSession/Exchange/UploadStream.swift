// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import Synchronization

/// The stream that a session reads a body from, seen from the writing side.
package protocol UploadSink: AnyObject, Sendable {
    /// Runs work in order with all other work and the events of the stream.
    func perform(_ work: @escaping @Sendable () -> Void)
    /// Writes bytes for which there is space.
    ///
    /// - Returns: The number of bytes that the stream has taken; zero or less if it failed.
    func write(_ bytes: Data) -> Int
    /// Closes the stream.
    func close()
}

/// One transmission of a body in chunks: reads the source, and writes the stream that the session reads.
package final class UploadStream: Sendable {
    /// An event for the exchange.
    package enum Event: Sendable {
        /// The source begins or ends to produce a chunk; the timeouts of the exchange do not apply meanwhile.
        case sourceIsAwaited(Bool)
        /// The source has ended after this number of bytes.
        case ended(Int64)
        case failed(TransportError)
    }

    /// The size of the buffer between the two ends of a stream, in bytes.
    package static let bufferSize = 128 * 1024

    private struct State {
        var machine: UploadStreamStateMachine
        var sink: (any UploadSink)?
        var reader: Task<Void, Never>?
        /// The reader that waits for a demand.
        var waiter: CheckedContinuation<Bool, Never>?
        var isDemanded = false
    }

    private let body: RequestBody
    private let state: Mutex<State>
    private let onEvent: @Sendable (Event) -> Void

    /// Creates a transmission.
    ///
    /// - Parameters:
    ///   - body: The encoded body.
    ///   - onEvent: Receives the events of the exchange.
    package init(_ body: RequestBody, onEvent: @escaping @Sendable (Event) -> Void) {
        self.body = body
        self.onEvent = onEvent
        state = Mutex(State(machine: UploadStreamStateMachine(length: body.length)))
    }

    /// Starts to read the source, for a stream that is about to open.
    package func start(_ sink: any UploadSink) {
        let reader = Task { await read() }
        let (isNeeded, isClosed) = state.withLock { state in
            if !state.machine.isClosed { state.sink = sink }
            if !state.machine.needsNoChunks { state.reader = reader }
            return (!state.machine.needsNoChunks, state.machine.isClosed)
        }
        if !isNeeded { reader.cancel() }
        if isClosed { sink.close() }
    }

    /// Handles space in the stream; called in order with the sink's other work.
    package func spaceAvailable() { apply { $0.spaceAvailable() } }

    /// Stops reading the source, and keeps the stream open: call ``stop()`` when the task has ended.
    package func abandon() {
        perform { $0.abandoned() }
    }

    /// Closes the stream and stops reading the source.
    package func stop() {
        perform { $0.stopped() }
    }

    private func perform(_ event: @escaping @Sendable (inout UploadStreamStateMachine) -> [Action]) {
        guard let sink = state.withLock({ $0.sink }) else { return apply(event) }
        sink.perform { self.apply(event) }
    }

    private typealias Action = UploadStreamStateMachine.Action

    private func apply(_ event: (inout UploadStreamStateMachine) -> [Action]) {
        for action in state.withLock({ event(&$0.machine) }) {
            switch action {
            case .read: demand()
            case .write(let bytes):
                let count = state.withLock { $0.sink }?.write(bytes) ?? 0
                apply { $0.wrote(count) }
            case .end(let count): onEvent(.ended(count))
            case .fail(let error): onEvent(.failed(error))
            case .stopReading: stopReading()
            case .close: close()
            }
        }
    }

    private func stopReading() {
        let (reader, waiter) = state.withLock { ($0.reader.take(), $0.waiter.take()) }
        waiter?.resume(returning: false)
        reader?.cancel()
    }

    private func close() {
        stopReading()
        state.withLock { $0.sink.take() }?.close()
    }

    private func demand() {
        let waiter = state.withLock { state in
            state.isDemanded = state.waiter == nil
            return state.waiter.take()
        }
        waiter?.resume(returning: true)
    }

    /// Waits until the next chunk is demanded; `false` once no more are needed.
    private func waitForDemand() async -> Bool {
        await withCheckedContinuation { waiter in
            let result: Bool? = state.withLock { state in
                if state.machine.needsNoChunks { return false }
                if state.isDemanded {
                    state.isDemanded = false
                    return true
                }
                state.waiter = waiter
                return nil
            }
            if let result { waiter.resume(returning: result) }
        }
    }

    private func read() async {
        var source = body.makeChunks()
        while await waitForDemand() {
            onEvent(.sourceIsAwaited(true))
            defer { onEvent(.sourceIsAwaited(false)) }
            do {
                guard let chunk = try await source.next(isolation: nil) else {
                    return perform { $0.sourceEnded() }
                }
                perform { $0.chunkArrived(chunk) }
            } catch {
                return perform { $0.sourceFailed(error) }
            }
        }
    }
}
