// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// The finished files of a manager's downloads, so that no file is mistaken for the file of another URL.
package final class DownloadFileOwners: Sendable {
    private let owners = Mutex<[String: String]>([:])

    package init() {}

    /// Records the owner of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - url: The URL of the download that fetched the file or found it there.
    /// - Returns: False if the file belongs to another URL; nothing is recorded then.
    @discardableResult
    package func take(_ path: String, for url: String) -> Bool {
        let url = DownloadHost.normalized(url)
        return owners.withLock { owners in
            guard let owner = owners[path] else {
                owners[path] = url
                return true
            }
            return owner == url
        }
    }

    /// Forgets the file of a download that was removed from the list.
    package func forget(_ path: String?, of url: String) {
        guard let path else { return }
        let url = DownloadHost.normalized(url)
        owners.withLock { owners in
            if owners[path] == url { owners[path] = nil }
        }
    }
}
