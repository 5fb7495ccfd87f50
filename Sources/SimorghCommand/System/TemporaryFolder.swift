// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import SimorghSupport

/// A folder in the system's temporary folder that only this user can access.
struct TemporaryFolder: Sendable {
    let path: String

    init() throws(OutputError) {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        path = "\(parent)/simorgh-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
        guard mkdir(path, 0o700) == 0 else { throw .system(path, errno) }
    }

    /// Removes files of the folder, then the folder.
    func remove(_ names: [String]) {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}
#endif
