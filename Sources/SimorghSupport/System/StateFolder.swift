// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A folder for data that outlives a process.
package struct StateFolder: Sendable, Equatable {
    package let path: String
    /// True if another user may have created it first, to read its contents or to redirect writes.
    package let isInSharedFolder: Bool

    package init(path: String, isInSharedFolder: Bool = false) {
        self.path = path
        self.isInSharedFolder = isInSharedFolder
    }

    /// Returns the reason why the folder must not be used; `nil` if it may be used.
    ///
    /// A folder in a shared folder is created if necessary, so that it then belongs to this user.
    package func refusal() -> String? {
        guard isInSharedFolder else { return nil }
        var status = stat()
        guard mkdir(path, 0o700) == 0 || errno == EEXIST, lstat(path, &status) == 0 else {
            return String(cString: strerror(errno))
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return "it is not a folder" }
        guard status.st_uid == geteuid() else { return "it belongs to another user" }
        guard status.st_mode & 0o077 == 0 else { return "other users have access to it: its mode must be 0700" }
        return nil
    }
}
