// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A media type, with the extension its files usually have.
public struct MimeType: Sendable, Hashable, CustomStringConvertible {
    /// The type, in lower case and without parameters: `image/png`.
    public let mime: String
    /// The extension, in lower case and without a dot: `png`.
    public let ext: String

    /// Creates a type.
    ///
    /// - Parameters:
    ///   - mime: The type, without parameters.
    ///   - ext: The extension, without a dot.
    public init(mime: String, ext: String) {
        self.mime = mime
        self.ext = ext
    }

    /// The type as a header field has it.
    public var description: String { mime }

    /// Whether the content is text that a person can read: its kind cannot be told from a few bytes alone.
    var isText: Bool {
        mime.hasPrefix("text/") || mime.hasSuffix("+xml") || mime.hasSuffix("+json") || Self.textual.contains(mime)
    }

    private static let textual: Set<String> = [
        "application/json", "application/xml", "application/yaml", "application/toml", "application/sql",
        "application/graphql", "application/x-ndjson", "application/x-subrip", "application/x-sh",
        "application/ecmascript",
        "application/vnd.apple.mpegurl", "application/dash+xml", "application/x-pem-file", "application/mbox",
        "application/x-httpd-php", "application/x-tex",
    ]
}
