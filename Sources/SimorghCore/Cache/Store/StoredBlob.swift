// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A blob of a store.
public struct StoredBlob: Sendable {
    /// The key.
    public let key: BlobKey
    /// A number that differs for each blob that ever had the key.
    public let revision: UInt64
    /// The metadata.
    ///
    /// Setting it discards the attachment.
    public var metadata: [UInt8] { didSet { attachment = BlobAttachment() } }
    /// The cached value that the cache derived from the metadata, for example the parsed response.
    package private(set) var attachment: BlobAttachment
    /// The length of the body, in bytes.
    public let length: Int64
    /// The body.
    public let body: Body

    /// The location of a blob's bytes.
    public enum Body: Sendable {
        /// In memory.
        case bytes(Data)
        /// Elsewhere; the function reads a range within the blob.
        case stored(@Sendable (Range<Int64>) async throws -> Data)
    }

    /// Verifies every byte of a body outside memory before it is streamed; `nil` if it has been verified.
    package private(set) var check: (@Sendable () async -> Bool)?

    /// Creates a blob.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: A number that differs for each blob that ever had the key.
    ///   - metadata: The metadata.
    ///   - length: The length of the body, in bytes.
    ///   - body: The body.
    ///   - check: Verifies every byte, if that was not done yet; a corrupt blob is treated as missing.
    public init(
        key: BlobKey, revision: UInt64, metadata: [UInt8], length: Int64, body: Body,
        check: (@Sendable () async -> Bool)? = nil
    ) {
        self.init(
            key: key, revision: revision, metadata: metadata, attachment: BlobAttachment(), length: length, body: body,
            check: check
        )
    }

    /// Creates a blob with a value derived from its metadata.
    init(
        key: BlobKey, revision: UInt64, metadata: [UInt8], attachment: BlobAttachment, length: Int64, body: Body,
        check: (@Sendable () async -> Bool)? = nil
    ) {
        self.key = key
        self.revision = revision
        self.metadata = metadata
        self.attachment = attachment
        self.length = length
        self.body = body
        self.check = check
    }

    /// Returns the same blob with its bytes in memory.
    func holding(_ bytes: Data) -> StoredBlob {
        StoredBlob(
            key: key, revision: revision, metadata: metadata, attachment: attachment, length: length,
            body: .bytes(bytes))
    }

    /// Returns the same blob with a function that verifies it before it is streamed.
    func checked(by check: @escaping @Sendable () async -> Bool) -> StoredBlob {
        var blob = self
        blob.check = check
        return blob
    }

    /// Reads a part of the body at once.
    ///
    /// - Parameter range: The range; it is clamped to the length of the blob.
    /// - Returns: The bytes.
    /// - Throws: The error of the store if the bytes cannot be read, or ``BlobDamagedError`` if the body ends early.
    public func bytes(_ range: Range<Int64>) async throws -> Data {
        let range = range.clamped(to: 0..<length)
        switch body {
        case .bytes(let bytes):
            return range.count == bytes.count
                ? bytes : Data(bytes.dropFirst(Int(range.lowerBound)).prefix(range.count))
        case .stored(let read):
            guard !range.isEmpty else { return Data() }
            // Usually one read is sufficient.
            var whole = try await read(range.lowerBound..<min(range.lowerBound + Self.readSize, range.upperBound))
            while whole.count < range.count {
                let offset = range.lowerBound + Int64(whole.count)
                let piece = try await read(offset..<min(offset + Self.readSize, range.upperBound))
                guard !piece.isEmpty else { throw BlobDamagedError() }
                whole.append(piece)
            }
            return whole
        }
    }

    /// Returns a part of the body as a response body, which is read as it is consumed.
    ///
    /// - Parameter range: The range; it is clamped to the length of the blob.
    /// - Returns: The response body.
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

    /// The size of a write, and of a body that is read together with its metadata, in bytes.
    static let writeSize: Int64 = 256 * 1024
    /// The size of a read while streaming, in bytes.
    static let streamReadSize: Int64 = 512 * 1024
    /// The size of a read at once, in bytes; a larger body is read in several parts.
    static let readSize: Int64 = 4 * 1024 * 1024
}

/// The error of a blob that cannot be read any more.
public struct BlobDamagedError: Error, Sendable, CustomStringConvertible {
    /// A description of the failure.
    public let description = "a stored response cannot be read any more"

    /// Creates the error.
    public init() {}
}

/// The bytes of a blob in chunks.
struct BlobChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    let read: @Sendable (Range<Int64>) async throws -> Data
    let range: Range<Int64>

    func makeAsyncIterator() -> Iterator { Iterator(read: read, offset: range.lowerBound, end: range.upperBound) }

    struct Iterator: AsyncIteratorProtocol {
        let read: @Sendable (Range<Int64>) async throws -> Data
        var offset: Int64
        let end: Int64

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            guard offset < end else { return nil }
            try Task.checkCancellation()
            do {
                let piece = try await read(offset..<Swift.min(offset + StoredBlob.streamReadSize, end))
                guard !piece.isEmpty else { throw BlobDamagedError() }
                offset += Int64(piece.count)
                return piece
            } catch let error as BlobDamagedError {
                // The reader sees an interrupted body, and can request it again from the server.
                throw TransportError(
                    .networkConnectionLost, phase: .body, message: error.description, underlying: error)
            }
        }
    }
}

// Makes `localizedDescription` report the error's own description on every platform.
extension BlobDamagedError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}
