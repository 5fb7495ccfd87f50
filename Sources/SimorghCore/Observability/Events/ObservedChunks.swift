// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// An observer of a body that is read: called for each chunk and once at the end.
package protocol BodyObserver: AnyObject, Sendable {
    /// A chunk was read.
    func didRead(_ chunk: Data)
    /// The body ended.
    ///
    /// - Parameter end: The result; `nil` if its reader stopped before the end.
    func didEnd(_ end: Result<Void, any Error>?)
}

extension ResponseBody {
    /// Returns the same body with an observer.
    ///
    /// A body that is already in memory is not observed.
    package func watched(by observer: any BodyObserver) -> ResponseBody {
        guard collectedBytes == nil else { return self }
        return ResponseBody(ObservedChunks(base: self, end: ObservedEnd(observer)))
    }
}

/// Reports the end of a body once.
///
/// If the body is released before its end, that is reported.
private final class ObservedEnd: Sendable {
    let observer: any BodyObserver
    private let isReported = Atomic(false)

    init(_ observer: any BodyObserver) { self.observer = observer }

    deinit { report(nil) }

    func report(_ end: Result<Void, any Error>?) {
        guard !isReported.exchange(true, ordering: .acquiringAndReleasing) else { return }
        observer.didEnd(end)
    }
}

/// The chunks of a body, each reported to an observer.
private struct ObservedChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    let base: ResponseBody
    let end: ObservedEnd

    struct Iterator: AsyncIteratorProtocol, DrainableChunks {
        var base: ResponseBody.Iterator
        let end: ObservedEnd

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            do {
                guard let chunk = try await base.next(isolation: actor) else {
                    end.report(.success(()))
                    return nil
                }
                end.observer.didRead(chunk)
                return chunk
            } catch {
                end.report(.failure(error))
                throw error
            }
        }

        func linger() {
            end.report(.success(()))
            var base = base
            base.linger()
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), end: end) }
}
