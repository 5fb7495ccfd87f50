// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A folder for what outlives a program.
package struct StateFolder: Sendable, Equatable {
    package let path: String
    /// Whether others may have made it before us, to read what we keep there or to lead us elsewhere.
    package let isInSharedFolder: Bool

    package init(path: String, isInSharedFolder: Bool = false) {
        self.path = path
        self.isInSharedFolder = isInSharedFolder
    }

    /// Why it must not be used, in a sentence; `nil` where it may.
    ///
    /// One in a shared folder is made if it is not there, so that it is ours from then on.
    package func refusal() -> String? {
        guard isInSharedFolder else { return nil }
        var status = stat()
        guard mkdir(path, 0o700) == 0 || errno == EEXIST, lstat(path, &status) == 0 else {
            return String(cString: strerror(errno))
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return "it is no folder" }
        guard status.st_uid == geteuid() else { return "it belongs to somebody else" }
        guard status.st_mode & 0o077 == 0 else { return "others may look into it: it must have the mode 0700" }
        return nil
    }
}
