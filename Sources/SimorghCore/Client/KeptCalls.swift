// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the last calls of one client were answered from memory, for those who ask the same within the same second.
///
/// A whole look into the cache makes a request, reads what is stored, and writes the age of the response and what the cache
/// says of itself. None of it is another as long as the ``CacheStanding`` of the answer holds.
package final class KeptCalls: Sendable {
    /// What a call asks for: all of which its request is made, besides the client's settings.
    package struct Asked: Sendable {
        fileprivate let method: RequestMethod
        fileprivate let texts: [String?]
        fileprivate let pathIsPercentEncoded: Bool
        fileprivate let path: String

        /// What a call asks for; `nil` where it says more than is compared here.
        ///
        /// - Parameters:
        ///   - description: What the call says of its request.
        ///   - accept: The field of this name.
        package init?(_ description: CallDescription, accept: String?) {
            guard description.headers.isEmpty, description.lateBody == nil, description.body.isEmpty else { return nil }
            method = description.method
            path = description.path
            pathIsPercentEncoded = description.pathIsPercentEncoded
            // Mostly nothing, which takes no memory.
            var texts: [String?] = []
            if !description.query.isEmpty || !description.base.isEmpty || description.version != nil || accept != nil {
                texts = [description.base, description.version, accept]
                for item in description.query { texts += [item.name, item.value] }
            }
            self.texts = texts
        }

        /// What the texts take, in bytes.
        fileprivate var length: Int { texts.reduce(path.utf8.count) { $0 + ($1?.utf8.count ?? 0) } }
        fileprivate var isASCII: Bool { path.isASCII && texts.allSatisfy { $0?.isASCII ?? true } }

        /// Whether it is the same as one that is ASCII.
        fileprivate func isSame(as other: Asked) -> Bool {
            guard path.isSame(as: other.path), method == other.method, texts.count == other.texts.count,
                pathIsPercentEncoded == other.pathIsPercentEncoded
            else { return false }
            return texts.indices.allSatisfy { index in
                guard let text = texts[index], let its = other.texts[index] else {
                    return texts[index] == nil && other.texts[index] == nil
                }
                return text.isSame(as: its)
            }
        }

        fileprivate var slot: Int {
            var hasher = Hasher()
            hasher.combine(path)
            if texts.count > 3 { hasher.combine(texts) }
            return hasher.finalize() & (KeptCalls.count - 1)
        }
    }

    /// An object, so that whoever looks takes hold of it once and not of all that is in it.
    private final class Kept: Sendable {
        let asked: Asked
        let response: CollectedResponse
        let standing: CacheStanding

        init(_ response: CollectedResponse, for asked: Asked, _ standing: CacheStanding) {
            (self.response, self.asked, self.standing) = (response, asked, standing)
        }
    }

    private let slots = Mutex([Kept?](repeating: nil, count: KeptCalls.count))
    /// So many answers are kept, a power of two.
    private static let count = 64
    /// No larger body is kept and no longer description, in bytes: of all together, with their fields, less than 3 MiB.
    private static let (longestBody, longestText) = (32 << 10, 4 << 10)

    package init() {}

    /// The response that the same call got, and would get again.
    ///
    /// - Parameters:
    ///   - asked: What is asked for.
    ///   - time: Tells the time.
    /// - Returns: The response; `nil` where the cache itself has to be asked.
    package func response(to asked: Asked, _ time: TimeSource) -> CollectedResponse? {
        let slot = asked.slot
        guard let kept = slots.withLock({ $0[slot] }), asked.isSame(as: kept.asked) else { return nil }
        guard kept.standing.holds(at: time.milliseconds) else {
            // What was forgotten is not to stay.
            slots.withLock { if $0[slot] === kept { $0[slot] = nil } }
            return nil
        }
        return kept.response
    }

    /// Keeps a response for a moment.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - asked: What was asked for.
    ///   - standing: For how long it is the answer.
    package func keep(_ response: CollectedResponse, for asked: Asked, _ standing: CacheStanding) {
        let fields = response.headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
        guard response.body.count <= Self.longestBody, fields <= Self.longestText, asked.length <= Self.longestText,
            asked.isASCII
        else { return }
        let slot = asked.slot
        let kept = Kept(response, for: asked, standing)
        slots.withLock { $0[slot] = kept }
    }
}
