// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The share of a folder that a manager has: all of it, or only some URLs, so that other processes can have others.
enum DownloadHold: Sendable {
    case whole(DownloadFolderLock)
    case shared(DownloadClaims)

    /// Takes a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - urls: The URLs to take where the folder is shared; `nil` to take all of it.
    /// - Throws: ``DownloadError``.
    init(_ folder: String, claiming urls: [String]?) throws(DownloadError) {
        if let urls {
            self = .shared(try DownloadClaims(folder, wanting: Set(urls.map(DownloadHost.normalised))))
        } else {
            self = .whole(try DownloadFolderLock(folder))
        }
    }

    var isShared: Bool {
        if case .shared = self { true } else { false }
    }

    /// Returns true if downloads of a URL are this manager's.
    func owns(_ url: String) -> Bool {
        switch self {
        case .whole: true
        case .shared(let claims): claims.urls.contains(DownloadHost.normalised(url))
        }
    }

    /// Gives it to the next.
    ///
    /// - Parameter removingFolder: Whether the folder goes where nothing else is in it.
    func release(removingFolder: Bool) {
        switch self {
        case .whole(let lock): lock.release(removingFolder: removingFolder)
        case .shared(let claims): claims.release(removingFolder: removingFolder)
        }
    }
}
