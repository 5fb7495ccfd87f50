// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How an entry of the log looks as text.
public enum LogFormat: Sendable, Hashable, CaseIterable {
    /// One line: `request GET https://api.example.com/users call=1`.
    case line
    /// Several lines, header fields and content below each other:
    /// ```
    /// [REQUEST] GET https://api.example.com/users
    /// ├─ Headers
    /// │ Accept: application/json
    /// ```
    case tree
    /// One object of JSON in a line, for programs to read.
    case json
}

extension LogFormat {
    /// An entry as text, without a line break at its end.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - isDated: Whether the text says when; JSON always does.
    /// - Returns: The text. Whatever a server sent, it is of as many lines as the format has, and holds no control character.
    package func text(of entry: LogEntry, isDated: Bool) -> String {
        switch self {
        case .line: (isDated ? "\(Self.time(entry)) " : "") + Self.line(entry)
        case .tree: (isDated ? "\(Self.time(entry)) " : "") + Self.tree(entry)
        case .json: Self.json(entry)
        }
    }
}
