// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import SimorghSupport

/// Reads small text files that are named by an option.
enum TextFile {
    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - option: The option's name, for messages.
    ///   - limit: The maximum size, in bytes.
    /// - Returns: Its text.
    /// - Throws: ``CommandError`` that names the option and the path.
    static func read(_ path: String, of option: String, upTo limit: Int) throws(CommandError) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .usage("\(option) \(path): \(String(cString: strerror(errno)))") }
        guard status.st_size <= limit else {
            throw .usage("\(option) \(path): the file is larger than \(limit / 1024) KiB")
        }
        guard let bytes = try? Data(contentsOf: URL(filePath: path)),
            let text = String(validating: bytes, as: UTF8.self)
        else { throw .usage("\(option) \(path): the file cannot be read as text") }
        return text
    }
}
#endif
