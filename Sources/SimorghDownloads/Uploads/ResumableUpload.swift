// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A file upload that can resume after a lost connection, a pause, or a restart of the process.
///
/// ```swift
/// var upload = ResumableUpload(file: "/films/simorgh.mp4", to: "https://tus.example.com/files")
/// upload.metadata["title"] = "The thirty birds"
/// let receipt = try await client.upload(upload)
/// ```
/// To resume, make the same upload again: it asks the server for the offset and sends only the rest. If the file has
/// changed meanwhile, the upload starts again. Cancelling pauses the upload; ``/SimorghDownloads/SimorghCore/APIClient/terminate(_:)`` ends it. Two
/// uploads are the same if file, endpoint, style, metadata, type and ``account`` are equal. While an upload is in
/// progress, the same upload in the same process throws ``/SimorghCore/InvalidRequestError/Reason-swift.enum/uploadUnderWay``.
public struct ResumableUpload: Sendable {
    /// The protocol of the server.
    @nonexhaustive
    public enum Style: String, Sendable, Hashable {
        /// tus 1.0: creation, creation with upload, checksum and termination.
        case tus
        /// The IETF draft, draft-ietf-httpbis-resumable-upload, interoperability version 8.
        case draft
    }

    /// The path of the file.
    public var file: String
    /// The URL that creates uploads: a path below the client's base URL, or an absolute URL.
    public var endpoint: String
    /// The protocol.
    public var style: Style
    /// The metadata of the file, with tus.
    ///
    /// Its name and type are added as `filename` and `filetype` unless they are set.
    public var metadata: [String: String] = [:]
    /// The media type of the file.
    ///
    /// Default: detected from its first bytes and its name.
    public var contentType: String?
    /// The header fields of every request of the upload.
    public var headers: [String: String] = [:]
    /// The largest number of bytes per request.
    ///
    /// Default: 32 MiB. `nil` sends the whole rest in one request.
    public var chunkSize: Int64? = 32 * 1024 * 1024
    /// True if each chunk is sent with its SHA-1, with tus.
    ///
    /// The file is then read twice. Default: false.
    public var sendsChecksums = false
    /// True if the first chunk is sent with the request that creates the upload, with tus.
    ///
    /// Default: false.
    public var createsWithUpload = false
    /// The number of retries in a row without progress before the upload fails permanently.
    ///
    /// Default: 5.
    public var retries = 5
    /// The wait after the first failure, doubled after each further one.
    ///
    /// Default: 1 second.
    public var retryDelay = Duration.seconds(1)
    /// The longest wait.
    ///
    /// Default: 30 seconds.
    ///
    /// A longer `Retry-After` ends the upload with an error; it can be resumed later.
    public var maximumRetryDelay = Duration.seconds(30)
    /// True if the server may redirect the upload to another origin with `Location`.
    ///
    /// Default: false.
    ///
    /// If true, the client's header fields and credentials are sent to that origin, too.
    public var allowsOtherOrigins = false
    /// The account that owns the upload.
    ///
    /// Default: derived from the credentials, if they are known.
    ///
    /// Only its owner can resume an upload. The derived owner is the user name of Basic or Digest, or a hash of a
    /// token, a key or a known credential header field; it cannot be derived from tokens that a function returns or
    /// refreshes. Set this if one program uploads for several users, or if the token can change before the upload
    /// resumes.
    public var account: String?
    /// The store for unfinished uploads.
    ///
    /// Default: files of the user.
    public var store: any UploadStore = FileUploadStore.standard

    /// Creates the description of an upload.
    ///
    /// - Parameters:
    ///   - file: The path of the file.
    ///   - endpoint: The URL that creates uploads: a path below the client's base URL, or an absolute URL.
    ///   - style: The protocol. Default: tus.
    public init(file: String, to endpoint: String, style: Style = .tus) {
        self.file = file
        self.endpoint = endpoint
        self.style = style
    }

    /// The result of a complete upload.
    public struct Receipt: Sendable {
        /// The URL of the upload on the server.
        ///
        /// `nil` if the server accepted all bytes in one request without a `Location`.
        public let url: String?
        /// The size of the file, in bytes.
        public let length: Int64
        /// The number of bytes sent by this call; less than ``length`` if it resumed an upload.
        public let sent: Int64
        /// The server's last response.
        ///
        /// With the IETF draft it is the response of the target resource itself, if it was received.
        public let response: CollectedResponse
    }
}
