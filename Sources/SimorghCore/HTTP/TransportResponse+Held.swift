// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

extension TransportResponse {
    /// How long a body is read that may never be wanted: the limits of the exchange are far longer, and others may wait.
    private static let holdingTime = Duration.seconds(5)

    /// The same response, its body in memory if it is small: for a step that keeps it while it does something else, so
    /// that a refused response does not hold its connection meanwhile.
    ///
    /// - Parameters:
    ///   - time: Measures how long it is read: five seconds at most, after which the body breaks off.
    ///   - limit: How many bytes are read; what comes after them is still read as it is taken.
    /// - Returns: The response; its body can be read as before, and breaks off where it broke off.
    package func held(_ time: TimeSource, upTo limit: Int = 64 * 1024) async -> TransportResponse {
        guard body.collectedBytes == nil else { return self }
        var response = self
        response.body = await withTaskGroup(of: Held?.self) { [body] group in
            group.addTask { await Held(body, upTo: limit) }
            group.addTask {
                try? await time.sleep(for: Self.holdingTime)
                return nil
            }
            var isLate = false
            while let held = await group.next() {
                group.cancelAll()
                guard let held else {
                    isLate = true
                    continue
                }
                return held.body(isLate: isLate, after: Self.holdingTime)
            }
            return body
        }
        return response
    }
}

/// A body as far as it was read.
private enum Held: Sendable {
    case whole(Data)
    case begun(ContinuedChunks)
    case broken(Data, any Error)

    init(_ body: ResponseBody, upTo limit: Int) async {
        var iterator = body.makeAsyncIterator()
        var start = Data()
        do {
            while start.count <= limit {
                guard let chunk = try await iterator.next(isolation: nil) else {
                    self = .whole(start)
                    return
                }
                start.append(chunk)
            }
            self = .begun(ContinuedChunks(start: start, rest: iterator))
        } catch {
            self = .broken(start, error)
        }
    }

    /// The body, to be read as before.
    func body(isLate: Bool, after limit: Duration) -> ResponseBody {
        switch self {
        case .whole(let bytes): ResponseBody(bytes)
        case .begun(let chunks): ResponseBody(chunks)
        case .broken(let start, let error):
            ResponseBody(
                BrokenChunks(
                    start: start,
                    error: isLate
                        ? TransportError.timedOut(.body, after: limit, requestMayHaveBeenSent: true) : error))
        }
    }
}

/// The chunks of a body that broke off.
private struct BrokenChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    let start: Data
    let error: any Error

    struct Iterator: AsyncIteratorProtocol {
        var start: Data?
        let error: any Error

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            if let start = start.take(), !start.isEmpty { return start }
            throw error
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(start: start, error: error) }
}

/// The chunks of a body whose beginning was read already.
private struct ContinuedChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    /// What is still to come, for the one who takes it.
    private final class Rest: Sendable {
        private let iterator: Mutex<ResponseBody.Iterator?>

        init(_ iterator: sending ResponseBody.Iterator) { self.iterator = Mutex(iterator) }

        func take() -> sending ResponseBody.Iterator? { iterator.withLock { $0.take() } }
    }

    private let start: Data
    private let rest: Rest

    init(start: Data, rest: sending ResponseBody.Iterator) {
        self.start = start
        self.rest = Rest(rest)
    }

    struct Iterator: AsyncIteratorProtocol, LingeringChunks {
        var start: Data?
        var rest: ResponseBody.Iterator?

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            if let start = start.take() { return start }
            return try await rest?.next(isolation: actor)
        }

        func linger() {
            var rest = rest
            rest?.linger()
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(start: start, rest: rest.take()) }
}
