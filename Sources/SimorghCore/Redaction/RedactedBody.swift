// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A redacted body for display.
package enum RedactedBody: Sendable, Hashable {
    /// The format of a body, which determines its redaction.
    package enum Kind: Sendable, Hashable {
        case json, form, text, binary

        package init(type: String?, start: Data) {
            let type = type?.prefix { $0 != ";" }.lowercased().filter { $0 != " " } ?? ""
            switch type {
            // Some programs send this type with every body.
            case "application/x-www-form-urlencoded":
                // The name of a form field can also begin with a bracket.
                let mark = start.first { "=\"".utf8.contains($0) }
                self = Self.isJSON(start) && mark != UInt8(ascii: "=") ? .json : .form
            case "application/json", "text/json", "application/x-ndjson", "application/ndjson", "application/jsonl",
                "application/json-seq", "text/event-stream", "application/graphql-response+json":
                self = .json
            case "" where Self.isText(start): self = Self.isJSON(start) ? .json : .text
            case _ where type.hasSuffix("+json"): self = .json
            case "application/xml", "application/javascript", "application/yaml", "application/graphql",
                "application/x-yaml":
                self = .text
            case _ where type.hasPrefix("text/") || type.hasSuffix("+xml"): self = .text
            default: self = .binary
            }
            // Binary data is never displayed as text, whatever the media type.
            if self != .binary, !Self.isText(start) { self = .binary }
        }

        /// Returns true if the bytes begin like a JSON object or array.
        private static func isJSON(_ start: Data) -> Bool {
            let first = start.drop { " \t\n\r".utf8.contains($0) || [0xEF, 0xBB, 0xBF].contains($0) }.first
            return first.map { "{[".utf8.contains($0) } == true
        }

        private static func isText(_ start: Data) -> Bool {
            start.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || $0 == 0x1E }
        }
    }

    /// A text, and the number of bytes that are omitted.
    case text(String, Kind, more: Int64)
    /// The description of a body that cannot be displayed.
    case opaque(String)

    /// Returns the description of a body that cannot be displayed: its type and size.
    package static func description(of type: String?, size: Int64?) -> String {
        "[\(type ?? "no type"), \(size.map { "\($0) bytes" } ?? "length unknown")]"
    }

    /// The text, with the number of omitted bytes.
    package var text: String {
        switch self {
        case .text(let text, _, more: 0): text
        case .text(let text, _, let more): "\(text)… and \(more) bytes more"
        case .opaque(let text): text
        }
    }

    /// The text as lines, with JSON indented.
    package var lines: [String] {
        if case .text(let text, .json, more: 0) = self { return JSONIndent.lines(of: text) }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
