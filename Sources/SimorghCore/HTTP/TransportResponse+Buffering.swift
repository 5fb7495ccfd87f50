// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

extension TransportResponse {
    /// The longest time to read a body that may never be needed.
    ///
    /// Exchange timeouts are far longer, and other calls may wait.
    private static let bufferingTimeout = Duration.seconds(5)

    /// Returns the same response with its body buffered in memory, if it is small.
    ///
    /// A step calls this when it keeps a rejected response while it does something else, so that the response does
    /// not hold its connection in the meantime.
    ///
    /// - Parameters:
    ///   - time: The clock for the limit of five seconds on reading; after it, the body fails with a timeout.
    ///   - limit: The largest number of bytes to buffer; later bytes are read as the caller consumes the body.
    /// - Returns: The response. Its body can be read as before, and fails at the point where reading it failed.
    package func buffered(_ time: TimeSource, upTo limit: Int = 64 * 1024) async -> TransportResponse {
        guard body.collectedBytes == nil else { return self }
        var response = self
        response.body = await withTaskGroup(of: BufferedBody?.self) { [body] group in
            group.addTask { await BufferedBody(body, upTo: limit) }
            group.addTask {
                try? await time.sleep(for: Self.bufferingTimeout)
                return nil
            }
            var isLate = false
            while let buffered = await group.next() {
                group.cancelAll()
                guard let buffered else {
                    isLate = true
                    continue
                }
                return buffered.body(isLate: isLate, after: Self.bufferingTimeout)
            }
            return body
        }
        return response
    }
}

/// The result of reading the beginning of a body.
private enum BufferedBody: Sendable {
    case whole(Data)
    case begun(PrefixedChunks)
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
            self = .begun(PrefixedChunks(start: start, rest: iterator))
        } catch {
            self = .broken(start, error)
        }
    }

    /// Returns a body that yields the bytes already read, then the rest or the error.
    func body(isLate: Bool, after limit: Duration) -> ResponseBody {
        switch self {
        case .whole(let bytes): ResponseBody(bytes)
        case .begun(let chunks): ResponseBody(chunks)
        case .broken(let start, let error):
            ResponseBody(
                FailingChunks(
                    start: start,
                    error: isLate
                        ? TransportError.timedOut(.body, after: limit, requestMayHaveBeenSent: true) : error))
        }
    }
}

/// The chunks of a body that failed: the bytes received, then the error.
private struct FailingChunks: AsyncSequence, Sendable {
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

/// The chunks of a body whose beginning was already read.
private struct PrefixedChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    /// The rest of the body, to be taken by one iterator.
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

    struct Iterator: AsyncIteratorProtocol, DrainableChunks {
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
