// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import SimorghSupport

/// What to download, and where to.
///
/// ```swift
/// var request = DownloadRequest(url: image)
/// request.digest = DownloadDigest("sha-256=9f86d0…")
/// let id = try manager.enqueue(request)
/// ```
public struct DownloadRequest: Sendable, Hashable, Codable {
    /// Where it is fetched from.
    public var url: String
    /// What the file is called; by the server, or the URL, where it is `nil`.
    ///
    /// Folders in it are dropped.
    public var fileName: String?
    /// Whether ``fileName`` is the name to the letter, as its user gave it; off by default.
    ///
    /// Without, dots at its beginning and what some file systems do not take are left out, and it gets the extension of the
    /// bytes' type where it has none. A name with a dot at its beginning is kept in a ``destination`` alone.
    public var keepsFileName = false
    /// How soon its turn comes; normal by default.
    public var priority = DownloadPriority.normal
    /// Header fields of each request.
    ///
    /// Credentials among them are not written to the disk: after a restart of the program a
    /// download goes on without them.
    public var headers: [String: String] = [:]
    /// The folder that the file comes into; by default one of its own in ``DownloadManagerConfig/downloadDirectory``.
    public var destination: URL?
    /// What happens when there is a file of the name already; a number by default.
    public var collision = DownloadCollision.uniquify
    /// The hash that the file must have.
    public var digest: DownloadDigest?
    /// The length that the file must have, in bytes.
    public var size: Int64?
    /// Where else the same file is to be had.
    ///
    /// They are asked in turn when ``url`` fails.
    public var mirrors: [String] = []
    /// The most bytes a second for this one; `nil` for as many as come.
    public var maximumBytesPerSecond: Int64?
    /// How many connections may fetch it; the manager's limit where it is `nil`.
    public var connections: Int?
    /// Whether a part is kept and continued when nothing but its length tells that the file is still the same; off by default.
    ///
    /// The last bytes that are there are fetched again and compared. A change elsewhere in the file is not seen.
    public var resumesWithoutValidator = false

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - url: Where it is fetched from.
    ///   - fileName: What the file is called.
    ///   - priority: How soon its turn comes.
    public init(url: URL, fileName: String? = nil, priority: DownloadPriority = .normal) {
        self.url = url.absoluteString
        self.fileName = fileName
        self.priority = priority
    }

    /// Reads a request; what an earlier release did not write is as it is by default.
    ///
    /// - Parameter decoder: Where it stands.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        url = try values.decode(String.self, forKey: .url)
        fileName = try values.decodeIfPresent(String.self, forKey: .fileName)
        priority = try values.decodeIfPresent(DownloadPriority.self, forKey: .priority) ?? .normal
        headers = try values.decodeIfPresent([String: String].self, forKey: .headers) ?? [:]
        destination = try values.decodeIfPresent(URL.self, forKey: .destination)
        collision = try values.decodeIfPresent(DownloadCollision.self, forKey: .collision) ?? .uniquify
        digest = try values.decodeIfPresent(DownloadDigest.self, forKey: .digest)
        size = try values.decodeIfPresent(Int64.self, forKey: .size)
        mirrors = try values.decodeIfPresent([String].self, forKey: .mirrors) ?? []
        maximumBytesPerSecond = try values.decodeIfPresent(Int64.self, forKey: .maximumBytesPerSecond)
        connections = try values.decodeIfPresent(Int.self, forKey: .connections)
        resumesWithoutValidator = try values.decodeIfPresent(Bool.self, forKey: .resumesWithoutValidator) ?? false
        keepsFileName = try values.decodeIfPresent(Bool.self, forKey: .keepsFileName) ?? false
    }

    /// Whether the name is kept to the letter: not one with a dot before it in the download's own folder, where it could be
    /// that of the journal.
    package var isNameExact: Bool { keepsFileName && (destination != nil || fileName?.hasPrefix(".") != true) }

    /// This request as it is written to the disk: without credentials.
    package var withoutCredentials: DownloadRequest {
        var request = self
        let known = Set(CredentialFields.known.map(\.canonicalName))
        request.headers = headers.filter { !known.contains($0.key.lowercased()) }
        return request
    }
}
