// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A media type with its usual file extension.
public struct MimeType: Sendable, Hashable, CustomStringConvertible {
    /// The type, in lowercase and without parameters: `image/png`.
    public let mime: String
    /// The extension, in lowercase and without a dot: `png`.
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

    /// The type as it appears in a header field.
    public var description: String { mime }

    /// True if the content is text, whose type a few bytes do not determine.
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
