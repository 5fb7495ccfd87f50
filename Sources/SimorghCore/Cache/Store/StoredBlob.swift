// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A blob of a store.
public struct StoredBlob: Sendable {
    /// Its name.
    public let key: BlobKey
    /// Another one for each blob that ever had the name.
    public let revision: UInt64
    /// What is kept beside it.
    public var metadata: [UInt8] { didSet { note = BlobNote() } }
    /// What was made of that.
    package private(set) var note: BlobNote
    /// How many bytes it has.
    public let length: Int64
    /// Its bytes.
    public let body: Body

    /// Where the bytes of a blob are.
    public enum Body: Sendable {
        /// In memory.
        case bytes(Data)
        /// Somewhere else, from where they are read piece by piece: a range of them, all in the blob.
        case stored(@Sendable (Range<Int64>) async throws -> Data)
    }

    /// Looks at every byte that is somewhere else: whether it can be given away piece by piece; `nil` where there is no doubt.
    package private(set) var check: (@Sendable () async -> Bool)?

    /// Creates a blob.
    ///
    /// - Parameters:
    ///   - key: Its name.
    ///   - revision: Another one for each blob that ever had the name.
    ///   - metadata: What is kept beside it.
    ///   - length: How many bytes it has.
    ///   - body: Its bytes.
    ///   - check: Looks at every byte, where that was not done yet; a blob that is not sound is taken for none.
    public init(
        key: BlobKey, revision: UInt64, metadata: [UInt8], length: Int64, body: Body,
        check: (@Sendable () async -> Bool)? = nil
    ) {
        self.init(
            key: key, revision: revision, metadata: metadata, note: BlobNote(), length: length, body: body, check: check
        )
    }

    /// Creates a blob with what was made of what is beside it.
    init(
        key: BlobKey, revision: UInt64, metadata: [UInt8], note: BlobNote, length: Int64, body: Body,
        check: (@Sendable () async -> Bool)? = nil
    ) {
        self.key = key
        self.revision = revision
        self.metadata = metadata
        self.note = note
        self.length = length
        self.body = body
        self.check = check
    }

    /// The same blob with its bytes in memory.
    func holding(_ bytes: Data) -> StoredBlob {
        StoredBlob(
            key: key, revision: revision, metadata: metadata, note: note, length: length, body: .bytes(bytes))
    }

    /// The same blob, to be looked at before it is given away piece by piece.
    func checked(by check: @escaping @Sendable () async -> Bool) -> StoredBlob {
        var blob = self
        blob.check = check
        return blob
    }

    /// A part of its bytes, all at once.
    ///
    /// - Parameter range: Which ones; what lies behind the blob's end is left out.
    /// - Returns: The bytes.
    /// - Throws: What the store does where they cannot be read any more.
    public func bytes(_ range: Range<Int64>) async throws -> Data {
        let range = range.clamped(to: 0..<length)
        switch body {
        case .bytes(let bytes):
            return range.count == bytes.count
                ? bytes : Data(bytes.dropFirst(Int(range.lowerBound)).prefix(range.count))
        case .stored(let read):
            guard !range.isEmpty else { return Data() }
            // Mostly that is all of it.
            var whole = try await read(range.lowerBound..<min(range.lowerBound + Self.wholeSize, range.upperBound))
            while whole.count < range.count {
                let place = range.lowerBound + Int64(whole.count)
                let piece = try await read(place..<min(place + Self.wholeSize, range.upperBound))
                guard !piece.isEmpty else { throw BlobDamaged() }
                whole.append(piece)
            }
            return whole
        }
    }

    /// A part of its bytes, read as they are taken.
    ///
    /// - Parameter range: Which ones; what lies behind the blob's end is left out.
    /// - Returns: The bytes as the body of a response.
    package func responseBody(_ range: Range<Int64>) -> ResponseBody {
        let range = range.clamped(to: 0..<length)
        switch body {
        case .bytes(let bytes):
            return ResponseBody(
                range.count == bytes.count
                    ? bytes : Data(bytes.dropFirst(Int(range.lowerBound)).prefix(Int(range.count))))
        case .stored(let read): return range.isEmpty ? .empty : ResponseBody(BlobChunks(read: read, range: range))
        }
    }

    /// How much is written at a time, in bytes.
    static let pieceSize: Int64 = 256 * 1024
    /// How much is read at a time of what is given away piece by piece.
    static let streamedSize: Int64 = 512 * 1024
    /// How much is read at a time of what is given away whole.
    static let wholeSize: Int64 = 4 * 1024 * 1024
}

/// A blob cannot be read any more.
public struct BlobDamaged: Error, Sendable, CustomStringConvertible {
    /// What happened.
    public let description = "a stored response cannot be read any more"

    /// Creates the error.
    public init() {}
}

/// The bytes of a blob, piece by piece.
struct BlobChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    let read: @Sendable (Range<Int64>) async throws -> Data
    let range: Range<Int64>

    func makeAsyncIterator() -> Iterator { Iterator(read: read, place: range.lowerBound, end: range.upperBound) }

    struct Iterator: AsyncIteratorProtocol {
        let read: @Sendable (Range<Int64>) async throws -> Data
        var place: Int64
        let end: Int64

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            guard place < end else { return nil }
            try Task.checkCancellation()
            do {
                let piece = try await read(place..<Swift.min(place + StoredBlob.streamedSize, end))
                guard !piece.isEmpty else { throw BlobDamaged() }
                place += Int64(piece.count)
                return piece
            } catch let error as BlobDamaged {
                // To who reads it, it is a body that broke off: asked for once more, it comes from the server.
                throw TransportError(
                    .networkConnectionLost, phase: .body, message: error.description, underlying: error)
            }
        }
    }
}
