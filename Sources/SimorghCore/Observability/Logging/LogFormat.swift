// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The text format of a log entry.
public enum LogFormat: Sendable, Hashable, CaseIterable {
    /// One line: `request GET https://api.example.com/users call=1`.
    case line
    /// Several lines, with header fields and content on separate lines:
    /// ```
    /// [REQUEST] GET https://api.example.com/users
    /// ├─ Headers
    /// │ Accept: application/json
    /// ```
    case tree
    /// One JSON object per line, for programs.
    case json
}

extension LogFormat {
    /// Returns an entry as text, without a trailing line break.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - isDated: True to include the time; JSON always includes it.
    /// - Returns: The text. It has only the line breaks of the format and no control characters, whatever the server
    ///   sent.
    package func text(of entry: LogEntry, isDated: Bool) -> String {
        switch self {
        case .line: (isDated ? "\(Self.time(entry)) " : "") + Self.line(entry)
        case .tree: (isDated ? "\(Self.time(entry)) " : "") + Self.tree(entry)
        case .json: Self.json(entry)
        }
    }
}
