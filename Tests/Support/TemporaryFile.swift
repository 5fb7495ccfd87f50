// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import Foundation

/// A file that is removed with its last reference.
package final class TemporaryFile: Sendable {
    package let path: String
    package let content: Data

    package init(_ content: Data) {
        self.content = content
        path = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)").path
        _ = FileManager.default.createFile(atPath: path, contents: content)
    }

    /// Replaces the file's content.
    @discardableResult
    package static func replace(_ file: TemporaryFile, with content: Data) -> Data {
        try? FileManager.default.removeItem(atPath: file.path)
        _ = FileManager.default.createFile(atPath: file.path, contents: content)
        return content
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
