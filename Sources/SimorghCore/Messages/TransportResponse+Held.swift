// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportResponse {
    /// The same response, its body in memory if it is small: for a step that keeps it while it does something else, so
    /// that a refused response does not hold its connection meanwhile.
    ///
    /// - Parameter limit: How many bytes are read; what comes after them is still read as it is taken.
    /// - Returns: The response; its body can be read as before, and breaks off where it broke off.
    package func held(upTo limit: Int = 64 * 1024) async -> TransportResponse {
        guard body.collectedBytes == nil else { return self }
        var iterator = body.makeAsyncIterator()
        var start = Data()
        var response = self
        do {
            while start.count <= limit {
                guard let chunk = try await iterator.next(isolation: nil) else {
                    response.body = ResponseBody(start)
                    return response
                }
                start.append(chunk)
            }
            response.body = ResponseBody(ContinuedChunks(start: start, rest: iterator))
        } catch {
            response.body = ResponseBody(BrokenChunks(start: start, error: error))
        }
        return response
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

    struct Iterator: AsyncIteratorProtocol {
        var start: Data?
        var rest: ResponseBody.Iterator?

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            if let start = start.take() { return start }
            return try await rest?.next(isolation: actor)
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(start: start, rest: rest.take()) }
}
