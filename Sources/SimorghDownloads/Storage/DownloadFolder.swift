// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// Where a download is kept: a folder named after it, with its journal, what is there of it, and in the end the file.
///
/// What is ours in it begins with a dot, as no file's name does. Nothing in the journal names the folder, so that it may move.
package struct DownloadFolder: Sendable, Hashable {
    package let path: String
    package let id: UUID

    package init(in directory: String, id: UUID) {
        self.id = id
        path = "\(directory)/\(id.uuidString.lowercased())"
    }

    /// The names of what is ours in it.
    static let ownNames: Set = [".journal", ".corrupt", ".partial"]

    package var journal: String { path + "/.journal" }

    /// Where what is not what it should be is kept until another attempt succeeds.
    package var corrupt: String { path + "/.corrupt" }

    /// Where bytes are written until the file is whole: on the disk that it will be on.
    package func partial(for request: DownloadRequest) -> String {
        guard let destination = request.destination else { return path + "/.partial" }
        return "\(Self.path(of: destination))/.\(id.uuidString.lowercased()).simorgh"
    }

    /// Removes what an earlier process left half copied beside the partial files of downloads.
    ///
    /// - Parameter downloads: Downloads that nobody else has, and of which nothing runs.
    package static func sweep(_ downloads: [(folder: DownloadFolder, request: DownloadRequest)]) {
        var names: [String: Set<String>] = [:]
        for (folder, request) in downloads where request.destination != nil {
            let partial = folder.partial(for: request)
            guard let slash = partial.utf8.lastIndex(of: UInt8(ascii: "/")) else { continue }
            names[String(partial[..<slash]), default: []].insert(String(partial[partial.utf8.index(after: slash)...]))
        }
        for (target, names) in names { DraftFiles.sweep(target, ofOwn: names) }
    }

    /// The folder that the file comes into.
    package func target(for request: DownloadRequest) -> String {
        request.destination.map(Self.path) ?? path
    }

    /// A path as a journal has it: relative where the file is in here.
    package func stored(_ file: String) -> String {
        let folder = "\(path)/".utf8
        return file.utf8.starts(with: folder) ? String(Substring(file.utf8.dropFirst(folder.count))) : file
    }

    /// A path that a journal has.
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
