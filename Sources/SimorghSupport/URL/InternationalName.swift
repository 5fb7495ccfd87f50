// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Converts host names with non-ASCII characters to their ASCII form (IDNA; UTS #46 without transitional processing).
///
/// Only names that the mapping of UTS #46 leaves unchanged are converted: lower case, composed (NFC), letters, marks
/// and decimal digits, with the exceptions of RFC 5892, section 2.6. All others are rejected, so that no mapping table
/// is needed. The rules for joiners need no check, since joiners are rejected; the rules for text direction and for
/// confusable characters are not checked.
enum InternationalName {
    /// The maximum number of bytes; more than any percent-encoded name that fits into 253 ASCII characters.
    private static let maximumBytes = 4096
    /// The maximum number of scalars: `xn--` and one digit for each scalar are at most 63 characters.
    private static let maximumScalars = 59

    /// Returns the bytes of a name with non-ASCII characters, which a URL may contain directly or percent-encoded.
    ///
    /// Foundation's `URL` percent-encodes them.
    ///
    /// - Parameter host: The name.
    /// - Returns: The bytes; `nil` for an ASCII name, and for one that escapes an ASCII character such as a dot.
    static func text(_ host: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard host.count <= maximumBytes else { return nil }
        let percent = UInt8(ascii: "%")
        let text = PercentEncoding.decoded(Array(host))
        let count = text.count { $0 >= 0x80 }
        // An escape is three bytes, and must stand for a non-ASCII byte.
        let escapes = (host.count - text.count) / 2
        guard count > 0, escapes == count - host.count(where: { $0 >= 0x80 }), !text.contains(percent) else {
            return nil
        }
        return text
    }

    /// Converts a name.
    ///
    /// - Parameter host: The bytes of the name. ASCII labels are kept, in lower case.
    /// - Returns: The name in ASCII, or the reason why it has no such form, as the end of a sentence about the host.
    static func ascii(_ host: [UInt8]) -> Result<String, HostSyntax.SyntaxError> {
        guard let text = String(validating: host, as: UTF8.self) else { return .failure("is not valid UTF-8") }
        var labels: [String] = []
        for part in text.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false) {
            let label = part.map { ("A"..."Z").contains($0) ? Unicode.Scalar(UInt8($0.value) | 0x20) : $0 }
            guard label.contains(where: { !$0.isASCII }) else {
                labels.append(string(label))
                continue
            }
            if let objection = objection(to: label) { return .failure(objection) }
            labels.append("xn--" + Punycode.encoded(label))
        }
        return .success(labels.joined(separator: "."))
    }

    private static func objection(to label: [Unicode.Scalar]) -> HostSyntax.SyntaxError? {
        guard label.count <= maximumScalars else { return "has a label of more than 63 characters" }
        guard !label.starts(with: "xn--".unicodeScalars) else {
            return "has a label that is in punycode (xn--…) and holds a character outside ASCII as well"
        }
        if let first = label.first, isMark(first) { return "has a label that begins with a combining mark" }
        if let index = label.indices.first(where: { !label[$0].isASCII && !isAllowed(at: $0, in: label) }) {
            let code = String(label[index].value, radix: 16, uppercase: true)
            return HostSyntax.SyntaxError(
                "holds U+\(String(repeating: "0", count: max(0, 4 - code.count)))\(code), which is not converted to "
                    + "punycode: write the name in lower case, or in its punycode form (xn--…)"
            )
        }
        guard string(label).isComposed else {
            return "has decomposed characters: write the name in Normalization Form C, or in its punycode form (xn--…)"
        }
        return nil
    }

    /// Returns true if a label may contain the non-ASCII scalar at an index.
    private static func isAllowed(at index: Int, in label: [Unicode.Scalar]) -> Bool {
        let before = index > 0 ? label[index - 1].value : 0
        let after = index + 1 < label.count ? label[index + 1].value : 0
        // RFC 5892, section 2.6, with the rules of its appendix A.
        switch label[index].value {
        case 0x06FD, 0x06FE, 0x0F0B, 0x3007: return true
        case 0x00B7: return before == 0x6C && after == 0x6C
        case 0x0375: return (0x0370...0x03FF).contains(after) || (0x1F00...0x1FFF).contains(after)
        case 0x05F3, 0x05F4: return (0x0591...0x05F4).contains(before)
        case 0x30FB: return label.contains(where: isKanaOrHan)
        case 0x0640, 0x07FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
        default: return isStable(label[index])
        }
    }

    private static func isKanaOrHan(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3005, 0x3007, 0x3041...0x309F, 0x30A1...0x30FA, 0x30FD...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// Returns true if UTS #46 leaves a scalar unchanged, and IDNA 2008 allows it as a letter, a mark or a decimal
    /// digit.
    private static func isStable(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .decimalNumber: break
        default: return false
        }
        // Case folding changes the sharp s and the final sigma, which UTS #46 keeps.
        return scalar == "\u{DF}" || scalar == "\u{3C2}" || !properties.changesWhenNFKCCaseFolded
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    private static func string(_ scalars: [Unicode.Scalar]) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }
}
