// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import SimorghSupport

/// Formats JSON for reading: indented, with each number, name and string unchanged and in its original order.
package enum PrettyJSON {
    /// The largest body to format, in bytes; larger ones are printed unchanged.
    package static let maximumInput = 4 * 1024 * 1024
    /// The deepest nesting to format.
    package static let maximumDepth = 128
    /// The deepest nesting of a text that is only validated.
    static let maximumValidationDepth = 512
    /// The maximum size of the output, in bytes: indentation of deep nesting multiplies the size.
    static let maximumOutput = 32 * 1024 * 1024

    /// Formats a document.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - palette: The colors.
    /// - Returns: The formatted document, without a final line break; `nil` if it is not JSON, or exceeds a limit.
    package static func layout(_ bytes: Data, palette: Palette = .plain) -> Data? {
        guard bytes.count <= maximumInput, String(validating: bytes, as: UTF8.self) != nil else { return nil }
        var layout = JSONLayout(Array(bytes), palette: palette)
        return (try? layout.document()).map { Data($0) }
    }

    /// Returns true if the text is one JSON document of any size.
    ///
    /// - Parameter text: The text.
    /// - Returns: True if it is valid JSON.
    package static func isJSON(_ text: String) -> Bool {
        var tokens = JSONTokenizer(Array(text.utf8)[...], maximumDepth: maximumValidationDepth)
        do {
            while try tokens.next() != nil {}
            return true
        } catch {
            return false
        }
    }
}
#endif
