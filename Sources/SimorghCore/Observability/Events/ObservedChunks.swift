// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Who is told of a body as it is read: of each chunk, and once of its end.
package protocol BodyWatcher: AnyObject, Sendable {
    /// A chunk was read.
    func didRead(_ chunk: Data)
    /// The body is over.
    ///
    /// - Parameter end: How; `nil` where its reader left before the end.
    func didEnd(_ end: Result<Void, any Error>?)
}

extension ResponseBody {
    /// The same body, somebody told of it as it is read; of one that is here already nobody is told.
    package func watched(by watcher: any BodyWatcher) -> ResponseBody {
        guard collectedBytes == nil else { return self }
        return ResponseBody(ObservedChunks(base: self, end: ObservedEnd(watcher)))
    }
}

/// The end of a body, told once: it is left when nobody holds it any more.
private final class ObservedEnd: Sendable {
    let watcher: any BodyWatcher
    private let isTold = Atomic(false)

    init(_ watcher: any BodyWatcher) { self.watcher = watcher }

    deinit { tell(nil) }

    func tell(_ end: Result<Void, any Error>?) {
        guard !isTold.exchange(true, ordering: .acquiringAndReleasing) else { return }
        watcher.didEnd(end)
    }
}

/// The chunks of a body, somebody told of each.
private struct ObservedChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    let base: ResponseBody
    let end: ObservedEnd

    struct Iterator: AsyncIteratorProtocol, LingeringChunks {
        var base: ResponseBody.Iterator
        let end: ObservedEnd

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            do {
                guard let chunk = try await base.next(isolation: actor) else {
                    end.tell(.success(()))
                    return nil
                }
                end.watcher.didRead(chunk)
                return chunk
            } catch {
                end.tell(.failure(error))
                throw error
            }
        }

        func linger() {
            end.tell(.success(()))
            var base = base
            base.linger()
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), end: end) }
}
