// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// The folder of a download, named after its identifier: it holds the journal, the partial file and finally the file.
///
/// The names of internal files start with a dot; names of downloaded files do not. The journal does not contain the
/// folder's path, so the folder may be moved.
package struct DownloadFolder: Sendable, Hashable {
    package let path: String
    package let id: UUID

    package init(in directory: String, id: UUID) {
        self.id = id
        path = "\(directory)/\(id.uuidString.lowercased())"
    }

    /// The names of the internal files.
    static let ownNames = backendNames.union([".journal", ".corrupt", ".partial"])
    /// The names of the files of a ``DownloadBackend``.
    package static let backendNames: Set = [".fetched", ".fetched.json", ".resume"]

    package var journal: String { path + "/.journal" }

    /// The file that a ``DownloadBackend`` fetched and the manager has not taken yet.
    package var fetched: String { path + "/.fetched" }
    /// The response to the request of ``fetched``.
    package var fetchedResponse: String { path + "/.fetched.json" }
    /// The data with which a ``DownloadBackend`` continues a transfer.
    package var resumeData: String { path + "/.resume" }
    /// The files of a ``DownloadBackend``.
    package var backendFiles: [String] { [fetched, fetchedResponse, resumeData] }

    /// The path at which a file that failed verification is kept until another attempt succeeds.
    package var corrupt: String { path + "/.corrupt" }

    /// Returns the path of the partial file, on the same disk as the final file.
    package func partial(for request: DownloadRequest) -> String {
        guard let destination = request.destination else { return path + "/.partial" }
        return "\(Self.path(of: destination))/.\(id.uuidString.lowercased()).simorgh"
    }

    /// Removes incomplete copies that an earlier process left beside the partial files of downloads.
    ///
    /// - Parameter downloads: Downloads that no other process owns and that do not run.
    package static func sweep(_ downloads: [(folder: DownloadFolder, request: DownloadRequest)]) {
        var names: [String: Set<String>] = [:]
        for (folder, request) in downloads where request.destination != nil {
            let partial = folder.partial(for: request)
            guard let slash = partial.utf8.lastIndex(of: UInt8(ascii: "/")) else { continue }
            names[String(partial[..<slash]), default: []].insert(String(partial[partial.utf8.index(after: slash)...]))
        }
        for (target, names) in names { TemporaryFiles.sweepAll(in: target, of: names) }
    }

    /// Returns the destination folder of the file.
    package func target(for request: DownloadRequest) -> String {
        request.destination.map(Self.path) ?? path
    }

    /// Returns a path as the journal stores it: relative if the file is in this folder.
    package func stored(_ file: String) -> String {
        let folder = "\(path)/".utf8
        return file.utf8.starts(with: folder) ? String(Substring(file.utf8.dropFirst(folder.count))) : file
    }

    /// Returns the full path of a path stored in the journal.
    package func found(_ stored: String) -> String {
        stored.behind(first: "/") != nil ? stored : "\(path)/\(stored)"
    }

    private static func path(of url: URL) -> String {
        var path = url.path
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/"), let bare = path.before(last: "/") {
            path = String(bare)
        }
        return path
    }
}
