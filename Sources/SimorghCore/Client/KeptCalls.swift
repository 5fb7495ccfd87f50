// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport
import Synchronization

/// What the last calls of one client were answered from memory, for those who ask the same again.
///
/// A whole look into the cache makes a request, reads what is stored, and writes the age of the response and what the cache
/// says of itself. None of it is another as long as the ``ResponseStanding`` of the answer holds, and for a while it knows what
/// time makes of it.
package final class KeptCalls: Sendable {
    /// What a call asks for: all of which its request is made, besides the client's settings.
    private struct Asked: Sendable {
        let method: RequestMethod
        let path: String
        let pathIsPercentEncoded: Bool
        let base: String
        let version: String?
        let query: [QueryItem]
        let accept: String?

        /// What a call asks for; `nil` where it says more than is compared here.
        ///
        /// - Parameters:
        ///   - description: What the call says of its request.
        ///   - accept: The field of this name.
        init?(_ description: CallDescription, accept: String?) {
            guard Self.isAll(of: description) else { return nil }
            method = description.method
            path = description.path
            pathIsPercentEncoded = description.pathIsPercentEncoded
            base = description.base
            version = description.version
            query = description.query
            self.accept = accept
        }

        /// Whether a call says no more than is compared here.
        static func isAll(of description: CallDescription) -> Bool {
            description.headers.isEmpty && description.lateBody == nil && description.body.isEmpty
        }

        /// All texts of it; what is not said, and is no empty text, is none.
        private var texts: [String] {
            [path, base, version ?? "", accept ?? ""] + query.flatMap { [$0.name, $0.value ?? ""] }
        }
        /// What the texts take, in bytes.
        var length: Int {
            texts.reduce(query.count * MemoryLayout<QueryItem>.stride) { $0 + $1.utf8.count }
        }
        var isASCII: Bool { texts.allSatisfy(\.isASCII) }

        /// Whether a call asks for the same, this being ASCII.
        func isSame(as other: CallDescription, accept itsAccept: String?) -> Bool {
            guard other.path.isSame(as: path), method == other.method, query.count == other.query.count,
                pathIsPercentEncoded == other.pathIsPercentEncoded, other.base.isSame(as: base),
                Self.isSame(other.version, version), Self.isSame(itsAccept, accept)
            else { return false }
            for index in query.indices {
                guard other.query[index].name.isSame(as: query[index].name),
                    Self.isSame(other.query[index].value, query[index].value)
                else { return false }
            }
            return true
        }

        private static func isSame(_ text: String?, _ other: String?) -> Bool {
            guard let text, let other else { return text == nil && other == nil }
            return text.isSame(as: other)
        }

        /// By which what a call asks for is found; never zero.
        static func hash(_ description: CallDescription, accept: String?) -> Int {
            var hasher = Hasher()
            hasher.combine(description.path)
            // Mostly none of them is there.
            if !description.base.isEmpty { hasher.combine(description.base) }
            if let version = description.version { hasher.combine(version) }
            if let accept { hasher.combine(accept) }
            for item in description.query {
                hasher.combine(item.name)
                hasher.combine(item.value)
            }
            return hasher.finalize() | 1
        }
    }

    /// An answer and what it was to.
    ///
    /// An object, so that whoever looks takes hold of it once and not of all that is in it.
    private final class Kept: Sendable {
        let asked: Asked
        let hash: Int
        let response: CollectedResponse
        /// For how long it is the answer.
        let standing: any ResponseStanding
        /// What it takes, in bytes.
        let size: Int

        init(
            _ response: CollectedResponse, for asked: Asked, _ hash: Int, _ standing: any ResponseStanding, size: Int
        ) {
            (self.response, self.asked, self.hash) = (response, asked, hash)
            (self.standing, self.size) = (standing, size)
        }
    }

    /// Answers in sets of a few places, by the hash of what was asked.
    private struct Table: Sendable {
        /// The hash of what is at the same place of ``kept``, zero for nothing; empty before the first is kept.
        private var hashes: [Int] = []
        private var kept: [Kept?] = []
        private var size = 0
        /// How many sets there are, a power of two.
        private var sets = 0
        /// Which place of a full set is used next.
        private var turn = 0

        var count: Int { hashes.count { $0 != 0 } }

        /// The places where something of this hash may be.
        private func places(_ hash: Int) -> Range<Int> {
            let first = (hash >> 8) & (sets - 1) * KeptCalls.ways
            return first..<first + KeptCalls.ways
        }

        /// What has this hash.
        func find(_ hash: Int) -> Kept? {
            guard sets > 0 else { return nil }
            for place in places(hash) where hashes[place] == hash { return kept[place] }
            return nil
        }

        /// Puts something where something of this hash is, or in a place of its set; `nil` makes room.
        ///
        /// - Returns: What has to go for it, for whoever calls to let go of when nobody waits for the table.
        mutating func put(_ new: Kept?, _ hash: Int) -> [Kept?] {
            if sets == 0 { resize(KeptCalls.fewestSets) }
            var places = places(hash)
            var free = places.first { hashes[$0] == hash } ?? places.first { hashes[$0] == 0 }
            while free == nil, sets < KeptCalls.sets {
                resize(sets * 8)
                places = self.places(hash)
                free = places.first { hashes[$0] == 0 }
            }
            if free == nil { turn += 1 }
            let place = free ?? places.lowerBound + turn % KeptCalls.ways
            var gone = [kept[place]]
            size += (new?.size ?? 0) - (kept[place]?.size ?? 0)
            (hashes[place], kept[place]) = (new == nil ? 0 : hash, new)
            if size > KeptCalls.mostBytes {
                gone += kept
                removeAll()
                size = new?.size ?? 0
                (hashes[place], kept[place]) = (new == nil ? 0 : hash, new)
            }
            return gone
        }

        private mutating func removeAll() {
            hashes = Array(repeating: 0, count: sets * KeptCalls.ways)
            kept = Array(repeating: nil, count: sets * KeptCalls.ways)
        }

        private mutating func resize(_ count: Int) {
            let old = zip(hashes, kept)
            sets = count
            removeAll()
            for (hash, one) in old where hash != 0 {
                // Those of a set are no more in any of those that it becomes.
                guard let place = places(hash).first(where: { hashes[$0] == 0 }) else { continue }
                (hashes[place], kept[place]) = (hash, one)
            }
        }
    }

    private let table = Mutex(Table())
    /// So many sets there are at most, a power of two.
    private static let sets = 1024
    /// So many there are at first; they become eight times as many where one is full.
    private static let fewestSets = 2
    /// So many answers are kept in each.
    private static let ways = 4
    /// No larger body is kept, in bytes.
    private static let longestBody = 32 << 10
    /// No longer description is kept, in bytes.
    private static let longestText = 4 << 10
    /// What all of them take together at most, in bytes; where one more does not fit, all others go.
    private static let mostBytes = 4 << 20
    /// What an answer takes besides its fields and its body, in bytes, nearly.
    private static let overhead = 1 << 10

    package init() {}

    /// How many answers are kept.
    package var count: Int { table.withLock { $0.count } }

    /// The response that the same call got, as it would get it now.
    ///
    /// - Parameters:
    ///   - description: What the call says of its request.
    ///   - accept: The field of this name.
    ///   - time: Tells the time.
    /// - Returns: The response; `nil` where the cache itself has to be asked.
    package func response(
        to description: CallDescription, accept: String?, _ time: TimeSource
    ) -> CollectedResponse? {
        guard Asked.isAll(of: description) else { return nil }
        let hash = Asked.hash(description, accept: accept)
        guard let kept = table.withLock({ $0.find(hash) }), kept.asked.isSame(as: description, accept: accept) else {
            return nil
        }
        let now = time.milliseconds
        return kept.standing.holds(at: now) ? kept.response : renewed(kept, at: now)
    }

    private func renewed(_ kept: Kept, at now: Int64) -> CollectedResponse? {
        let new = kept.standing.renewed(kept.response, at: now).map { response, standing in
            Kept(response, for: kept.asked, kept.hash, standing, size: kept.size)
        }
        // What was forgotten is not to stay.
        _ = table.withLock { $0.find(kept.hash) === kept ? $0.put(new, kept.hash) : [] }
        return new?.response
    }

    /// Keeps a response, instead of what the same call got before.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - description: What the call said of its request.
    ///   - accept: The field of this name.
    ///   - standing: For how long it is the answer.
    package func keep(
        _ response: CollectedResponse, for description: CallDescription, accept: String?,
        _ standing: any ResponseStanding
    ) {
        guard let asked = Asked(description, accept: accept) else { return }
        let fields = response.headers.reduce(response.headers.count * MemoryLayout<HTTPField>.stride) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
        }
        let text = asked.length
        guard response.body.count <= Self.longestBody, fields <= Self.longestText, text <= Self.longestText,
            asked.isASCII
        else { return }
        let hash = Asked.hash(description, accept: accept)
        let size = response.body.count + fields + text + Self.overhead
        let kept = Kept(response, for: asked, hash, standing, size: size)
        _ = table.withLock { $0.put(kept, hash) }
    }
}
