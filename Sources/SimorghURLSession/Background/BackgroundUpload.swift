// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// A file to upload with a ``BackgroundUploader``.
public struct BackgroundUpload: Sendable, Hashable, Codable {
    /// The identifier, which stays the same after a restart of the app.
    public let id: UUID
    /// The URL to which the file is sent.
    public var url: URL
    /// The file; it has to exist until the upload has ended.
    public var file: URL
    /// The method of the request.
    ///
    /// Default: PUT.
    public var method: String
    /// The header fields of the request.
    ///
    /// The system retries and resumes with them for days, so credentials should be valid that long. The resume data
    /// of a paused upload, which only the user can read, contain them; this library does not store them otherwise. Fields with secrets other than `Authorization` are refused unless
    /// ``allowsSecretFields`` is set.
    public var headers: [String: String]
    /// A Boolean value that indicates whether header fields with secrets other than `Authorization` may be sent.
    ///
    /// The session follows redirects by itself and sends such fields to other servers, too. Default: false.
    public var allowsSecretFields = false
    /// A Boolean value that indicates whether a cellular network may be used.
    ///
    /// Default: true.
    public var allowsCellularAccess = true
    /// A Boolean value that indicates whether an expensive (metered) network may be used.
    ///
    /// Default: true.
    public var allowsExpensiveNetworkAccess = true
    /// A Boolean value that indicates whether a network in Low Data Mode may be used.
    ///
    /// Default: true.
    public var allowsConstrainedNetworkAccess = true

    /// Creates an upload.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - url: The URL to which it is sent.
    ///   - method: The method of the request. Default: PUT.
    ///   - headers: The header fields of the request. Default: none.
    ///   - id: The identifier. Default: a new one.
    public init(
        file: URL, to url: URL, method: HTTPRequest.Method = .put, headers: [String: String] = [:], id: UUID = UUID()
    ) {
        self.id = id
        self.url = url
        self.file = file
        self.method = method.rawValue
        self.headers = headers
    }
}

/// The response to a ``BackgroundUpload``.
public struct BackgroundUploadResponse: Sendable, Hashable {
    /// The URL that responded, after redirects.
    public let url: String
    /// The status code, which may be that of an error.
    public let status: Int
    /// The header fields.
    public let fields: HTTPFields
    /// The body, at most 1 MiB.
    public let body: Data
}
