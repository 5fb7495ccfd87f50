// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import Simorgh

/// A field of a form in parts, as `-F` writes it: `name=value`, `name=@file`, `name=@file;type=image/png;filename=a.png`.
package struct FormPart: Sendable, Equatable {
    /// What the field holds.
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

    /// Reads an argument.
    ///
    /// - Parameters:
    ///   - text: The argument.
    ///   - index: How many came before it, for the message.
    /// - Throws: ``CommandFailure`` that says what is wrong.
    package init(_ text: String, at index: Int) throws(CommandFailure) {
        guard let halves = text[...].halves(at: "=") else {
            throw .usage("-F takes NAME=VALUE or NAME=@FILE: number \(index + 1) has no equals sign")
        }
        name = String(halves.before)
        guard var rest = halves.behind.behind(first: "@") else {
            content = .text(String(halves.behind))
            return
        }
        var (type, fileName): (String?, String?) = (nil, nil)
        // From the end, since a path may hold a semicolon.
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
        guard !rest.isEmpty else { throw .usage("-F names no file after the @: number \(index + 1)") }
        content = .file(String(rest), type: type, fileName: fileName)
    }

    /// The field for the library.
    package var field: MultipartFormField {
        switch content {
        case .text(let value): .text(name: name, value: value)
        case .file(let path, let type, let fileName):
            .filePath(name: name, path: path, fileName: fileName, mimeType: type)
        }
    }
}
#endif
