// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Temporary files for atomic replacement, which may remain after a crash.
package enum TemporaryFiles {
    /// The age from which a draft is considered abandoned: one hour, in seconds.
    private static let age = 3600.0
    /// The prefix of the random part of a name, which identifies drafts of this library.
    private static let mark = "simorgh-"
    /// The number of digits of the random part.
    private static let digits = 13

    /// Returns a unique name for a draft.
    ///
    /// - Parameter path: The file that the draft will replace.
    /// - Returns: A path in the same folder.
    package static func name(for path: String) -> String {
        let draw = String(UInt64.random(in: .min ... .max), radix: 36)
        return "\(path).\(mark)\(String(repeating: "0", count: digits - draw.utf8.count))\(draw).new"
    }

    /// Removes drafts in a folder that are older than an hour, since another process may still write younger ones.
    ///
    /// Errors are ignored.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - file: The name of the file that the drafts belong to; `nil` for any file.
    package static func sweepAbandoned(in folder: String, of file: String? = nil) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
        let latest = Int64((Date().timeIntervalSince1970 - age) * 1e9)
        for name in names where isDraft(name, of: file) {
            var status = stat()
            let path = "\(folder)/\(name)"
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, FileTime.modified(status) < latest
            else {
                continue
            }
            unlink(path)
        }
    }

    /// Removes drafts of any age, of files that only the caller writes.
    ///
    /// Errors are ignored.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - files: The names of the files that the drafts belong to.
    package static func sweepAll(in folder: String, of files: Set<String>) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
        for name in names where isDraft(name, of: nil) {
            guard files.contains(String(Substring(name.utf8.dropLast(mark.utf8.count + digits + 5)))) else { continue }
            unlink("\(folder)/\(name)")
        }
    }

    /// Returns true for a name that ``name(for:)`` creates.
    private static func isDraft(_ name: String, of file: String?) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[parts.count - 1].elementsEqual("new".utf8) else { return false }
        let draw = parts[parts.count - 2]
        let isDrawn =
            draw.count == mark.utf8.count + digits && draw.starts(with: mark.utf8)
            && draw.dropFirst(mark.utf8.count).allSatisfy {
                $0.isASCIIDigit || (0x61...0x7A).contains($0)
            }
        guard isDrawn, let file else { return isDrawn }
        return name.utf8.dropLast(draw.count + 5).elementsEqual(file.utf8)
    }
}
