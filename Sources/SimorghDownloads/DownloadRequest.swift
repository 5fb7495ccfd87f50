// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import SimorghSupport

/// A file to download and its destination.
///
/// ```swift
/// var request = DownloadRequest(url: image)
/// request.digest = DownloadDigest("sha-256=9f86d0…")
/// let id = try manager.enqueue(request)
/// ```
public struct DownloadRequest: Sendable, Hashable, Codable {
    /// The URL to fetch.
    public var url: String
    /// The name of the file; if `nil`, the server's response or the URL determines it.
    ///
    /// Directory components in it are ignored: "a/b.txt" is saved as "b.txt".
    public var fileName: String?
    /// True if ``fileName`` is to be used exactly as given.
    ///
    /// Default: false.
    ///
    /// If false, leading dots and characters that some file systems reject are removed, and a name without an
    /// extension gets the extension of the content's type. A leading dot is kept only together with a ``destination``.
    public var keepsFileName = false
    /// The priority among waiting downloads.
    ///
    /// Default: normal.
    public var priority = DownloadPriority.normal
    /// The header fields of each request.
    ///
    /// Credentials among them are not written to disk: after a restart of the program, the download resumes without
    /// them.
    public var headers: [String: String] = [:]
    /// The destination folder; by default the download's own folder in ``DownloadManagerConfig/downloadDirectory``.
    ///
    /// iOS may move the containers of an app between two launches. A later process finds the folder again if it is in the
    /// container of the app, or in the app group that contains the manager's folder. A folder elsewhere, such as in
    /// another app group, keeps its path.
    public var destination: URL?
    /// The policy for a destination file that already exists.
    ///
    /// Default: the new file gets a number.
    public var collision = DownloadCollision.uniquify
    /// The expected hash of the file.
    public var digest: DownloadDigest?
    /// The expected length of the file, in bytes.
    public var size: Int64?
    /// Other URLs of the same file.
    ///
    /// They are tried in turn if ``url`` fails.
    public var mirrors: [String] = []
    /// The bandwidth limit of this download, in bytes per second; `nil` for no limit.
    public var maximumBytesPerSecond: Int64?
    /// The largest number of connections for this file; if `nil`, the manager's limit.
    public var connections: Int?
    /// True if a partial file is resumed even if only its length shows that the server's file is the same.
    ///
    /// Default: false.
    ///
    /// The last bytes of the partial file are then fetched again and compared. A change elsewhere in the file goes
    /// unnoticed.
    public var resumesWithoutValidator = false

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - url: The URL to fetch.
    ///   - fileName: The name of the file.
    ///   - priority: The priority among waiting downloads.
    public init(url: URL, fileName: String? = nil, priority: DownloadPriority = .normal) {
        self.url = url.absoluteString
        self.fileName = fileName
        self.priority = priority
    }

    /// Creates a request by decoding it; values that an earlier release did not write get their defaults.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: The error of the decoder.
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

    /// True if the name is used exactly as given.
    ///
    /// This excludes a name with a leading dot in the download's own folder, where it could collide with the journal.
    package var isNameExact: Bool { keepsFileName && (destination != nil || fileName?.hasPrefix(".") != true) }

    /// A copy of this request without credentials, to be written to disk.
    package var withoutCredentials: DownloadRequest {
        var request = self
        let known = Set(CredentialFields.known.map(\.canonicalName))
        request.headers = headers.filter { !known.contains($0.key.lowercased()) }
        return request
    }

    /// Returns this request with the current path of its destination, if the system has moved the container of the app.
    ///
    /// - Parameters:
    ///   - home: The current home folder of the app; `nil` if unknown.
    ///   - directory: The current folder of the manager, which may be in an app group.
    /// - Returns: The request.
    package func inContainer(of home: String?, directory: String? = nil) -> DownloadRequest {
        guard let destination else { return self }
        let path = ContainerPath.current(destination.path, directory: directory, home: home)
        guard path != destination.path else { return self }
        var request = self
        request.destination = URL(filePath: path + "/")
        return request
    }
}
