// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A file to upload so that it can go on where it stopped: after a lost connection, a pause, or a restart of the process.
///
/// ```swift
/// var upload = ResumableUpload(file: "/films/simorgh.mp4", to: "https://tus.example.com/files")
/// upload.metadata["title"] = "The thirty birds"
/// let receipt = try await client.upload(upload)
/// ```
/// To go on is to make the same upload again: what the server has already is asked for, and only the rest is sent. A file
/// that has changed meanwhile begins anew. Cancelling pauses; ``APIClient/terminate(_:)`` gives up. It is the same upload where
/// the file, the endpoint, the style, the metadata, the type and the ``account`` are; of those at once in one process the
/// second is refused with ``InvalidRequest/Reason-swift.enum/uploadUnderWay``.
public struct ResumableUpload: Sendable {
    /// The protocol that the server speaks.
    @nonexhaustive
    public enum Style: String, Sendable, Hashable {
        /// tus 1.0: creation, creation with upload, checksum and termination.
        case tus
        /// The IETF's draft, draft-ietf-httpbis-resumable-upload, interoperability version 8.
        case draft
    }

    /// The file's path.
    public var file: String
    /// Where uploads are made: a path below the client's base URL, or a whole URL.
    public var endpoint: String
    /// The protocol.
    public var style: Style
    /// What the server is told of the file, with tus; its name and type are added as `filename` and `filetype` unless set.
    public var metadata: [String: String] = [:]
    /// The type of the file; told by its first bytes and its name by default.
    public var contentType: String?
    /// Header fields of every request of the upload.
    public var headers: [String: String] = [:]
    /// The most bytes to send in one request; 32 MiB by default, `nil` sends all that is left.
    public var chunkSize: Int64? = 32 * 1024 * 1024
    /// Whether each chunk is sent with its SHA-1, with tus; off by default, since the file is then read twice.
    public var sendsChecksums = false
    /// Whether the first chunk is sent with the request that creates the upload, with tus; off by default.
    public var createsWithUpload = false
    /// How many times in a row it may fail without a byte gained before it fails for good; 5 by default.
    public var retries = 5
    /// How long to wait after the first failure, twice as long after each further one; 1 second by default.
    public var retryDelay = Duration.seconds(1)
    /// The longest wait; 30 seconds by default.
    ///
    /// A `Retry-After` that is longer fails the upload, to go on with later.
    public var maximumRetryDelay = Duration.seconds(30)
    /// Whether the server may name a place on another origin; off by default.
    ///
    /// The client's own header fields and credentials would go there, too.
    public var allowsOtherOrigins = false
    /// Whose upload it is; by default told by the credentials, as far as they show.
    ///
    /// An upload is gone on with for its owner alone. That is the name which Basic or Digest has, or a hash of a token, of a
    /// key or of a header field that is known for credentials; of tokens that are asked for or renewed nothing is known. Set it
    /// where one program uploads for several, or where a token is another one by the time the upload goes on.
    public var account: String?
    /// Where unfinished uploads are written down; in files of the user's by default.
    public var store: any UploadStore = FileUploadStore.standard

    /// Describes an upload.
    ///
    /// - Parameters:
    ///   - file: The file's path.
    ///   - endpoint: Where uploads are made: a path below the client's base URL, or a whole URL.
    ///   - style: The protocol; tus by default.
    public init(file: String, to endpoint: String, style: Style = .tus) {
        self.file = file
        self.endpoint = endpoint
        self.style = style
    }

    /// What the server had to say when all was there.
    public struct Receipt: Sendable {
        /// Where the server keeps the upload; `nil` where it took all in one request and named no place.
        public let url: String?
        /// How many bytes the file has.
        public let length: Int64
        /// How many bytes of it were sent by this call; less than ``length`` where it went on with another's work.
        public let sent: Int64
        /// The server's last answer; with the IETF's draft, that of the endpoint itself, where it came.
        public let response: CollectedResponse
    }
}
