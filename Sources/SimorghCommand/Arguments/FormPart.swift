// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import Simorgh

/// A part of a multipart form in the syntax of `-F`: `name=value`, `name=@file`,
/// `name=@file;type=image/png;filename=a.png`.
package struct FormPart: Sendable, Equatable {
    /// The content of a part.
    package enum Content: Sendable, Equatable {
        case text(String)
        case file(String, type: String?, fileName: String?)
    }

    package let name: String
    package let content: Content

    package init(name: String, content: Content) {
        self.name = name
        self.content = content
    }

    /// Parses an argument.
    ///
    /// - Parameters:
    ///   - text: The argument.
    ///   - index: The argument's index, for the error message.
    /// - Throws: ``CommandError`` that names the mistake.
    package init(_ text: String, at index: Int) throws(CommandError) {
        guard let halves = text[...].halves(at: "=") else {
            throw .usage("-F takes NAME=VALUE or NAME=@FILE: number \(index + 1) has no equals sign")
        }
        name = String(halves.before)
        guard var rest = halves.behind.behind(first: "@") else {
            content = .text(String(halves.behind))
            return
        }
        var (type, fileName): (String?, String?) = (nil, nil)
        // Parsed from the end, because a path may contain a semicolon.
        while let semicolon = rest.lastIndex(of: ";") {
            let option = rest[rest.index(after: semicolon)...]
            if option.hasPrefix("type="), type == nil {
                type = String(option.dropFirst(5))
            } else if option.hasPrefix("filename="), fileName == nil {
                fileName = String(option.dropFirst(9))
            } else {
                break
            }
            rest = rest[..<semicolon]
        }
        guard !rest.isEmpty else { throw .usage("-F has no file name after the @: number \(index + 1)") }
        content = .file(String(rest), type: type, fileName: fileName)
    }

    /// The part as a form field of the library.
    package var field: MultipartFormField {
        switch content {
        case .text(let value): .text(name: name, value: value)
        case .file(let path, let type, let fileName):
            .filePath(name: name, path: path, fileName: fileName, mimeType: type)
        }
    }
}
#endif
