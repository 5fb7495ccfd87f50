// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A manager's claim on a folder: the whole folder, or only some URLs if it is shared with other processes.
enum DownloadFolderClaim: Sendable {
    case whole(DownloadFolderLock)
    case shared(DownloadURLClaims)

    /// Claims a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - urls: The URLs to claim if the folder is shared; `nil` to claim the whole folder.
    /// - Throws: ``DownloadError``.
    init(_ folder: String, claiming urls: [String]?) throws(DownloadError) {
        if let urls {
            self = .shared(try DownloadURLClaims(folder, wanting: Set(urls.map(DownloadHost.normalized))))
        } else {
            self = .whole(try DownloadFolderLock(folder))
        }
    }

    var isShared: Bool {
        if case .shared = self { true } else { false }
    }

    /// Returns true if this manager owns the downloads of a URL.
    func owns(_ url: String) -> Bool {
        switch self {
        case .whole: true
        case .shared(let claims): claims.urls.contains(DownloadHost.normalized(url))
        }
    }

    /// Releases the claim for other managers.
    ///
    /// - Parameter removingFolder: True to remove the folder if it is empty.
    func release(removingFolder: Bool) {
        switch self {
        case .whole(let lock): lock.release(removingFolder: removingFolder)
        case .shared(let claims): claims.release(removingFolder: removingFolder)
        }
    }
}
