// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Certificates or a key in PEM.
@nonexhaustive
public enum PEMSource: Sendable, Hashable {
    /// The text itself.
    case text(String)
    /// The path of a file with the text, up to 4 MiB; the file is read when it is first needed.
    case file(String)
}

extension PEMSource: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The source; never the text, which may be a key.
    public var description: String {
        switch self {
        case .text: "PEM text"
        case .file(let path): path
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The same as ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
