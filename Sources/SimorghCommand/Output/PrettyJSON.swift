// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import SimorghSupport

/// Lays out JSON for a person: indented, each number, name and text exactly as it came, in the order in which it came.
package enum PrettyJSON {
    /// The largest body that is laid out, in bytes; larger ones are shown as they came.
    package static let maximumInput = 4 * 1024 * 1024
    /// The deepest nesting that is laid out.
    package static let maximumDepth = 128
    /// The deepest nesting of a text that is not laid out.
    static let deepestText = 512
    /// The most bytes that the layout may have: deep nesting multiplies what came.
    static let maximumOutput = 32 * 1024 * 1024

    /// Lays out a document.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - palette: How its parts look.
    /// - Returns: The layout, without a line break at its end; `nil` for what is no JSON, or exceeds a bound.
    package static func layout(_ bytes: Data, _ palette: Palette = .plain) -> Data? {
        guard bytes.count <= maximumInput, String(validating: bytes, as: UTF8.self) != nil else { return nil }
        var layout = JSONLayout(Array(bytes), palette)
        return (try? layout.document()).map { Data($0) }
    }

    /// Whether text is one JSON document, whatever its size.
    ///
    /// - Parameter text: The text.
    /// - Returns: Whether it is.
    package static func isJSON(_ text: String) -> Bool {
        var tokens = JSONTokenizer(Array(text.utf8)[...], maximumDepth: deepestText)
        do {
            while try tokens.next() != nil {}
            return true
        } catch {
            return false
        }
    }
}
#endif
