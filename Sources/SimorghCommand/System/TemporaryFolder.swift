// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import SimorghSupport

/// A folder that only this user can enter, under the system's folder for temporary files.
struct TemporaryFolder: Sendable {
    let path: String

    init() throws(OutputFailure) {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        path = "\(parent)/simorgh-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
        guard mkdir(path, 0o700) == 0 else { throw .system(path, errno) }
    }

    /// Removes files of the folder, and the folder.
    func remove(_ names: [String]) {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}
#endif
