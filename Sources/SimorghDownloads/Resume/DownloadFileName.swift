// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// What a file is called on this machine, whoever suggests the name.
package enum DownloadFileName {
    /// The longest name that file systems take, in bytes.
    package static let longest = 255
    /// What a file is called when nobody says.
    package static let standard = "download"
    /// How long an extension may be to be kept when the rest is cut.
    private static let longestExtension = 32

    /// Chooses a name.
    ///
    /// - Parameters:
    ///   - given: The caller's.
    ///   - disposition: The field `Content-Disposition` of the response.
    ///   - url: The URL that answered, whose last segment is decoded once.
    ///   - detected: The extension that the content's first bytes speak for; it is added where the name has none.
    /// - Returns: A name that leads nowhere but into its folder.
    package static func choose(
        given: String?, disposition: String? = nil, url: String, detected: String? = nil
    ) -> String {
        let name =
            given.flatMap(clean) ?? disposition.flatMap(ContentDisposition.fileName).flatMap(clean)
            ?? lastSegment(of: url).flatMap(clean) ?? standard
        guard let detected, parts(of: name).ext.isEmpty else { return name }
        return fitted(stem: name, ext: ".\(detected)", suffix: "")
    }

    /// The name with a number, for when it is taken: `photo (2).png`.
    package static func numbered(_ name: String, _ number: Int) -> String {
        let (stem, ext) = parts(of: name)
        return fitted(stem: stem, ext: ext, suffix: " (\(number))")
    }

    /// The last segment of a URL's path, decoded once; `nil` where it is empty, or not text.
    package static func lastSegment(of url: String) -> String? {
        let segment = URLReference(url).path.cut(at: "/").last ?? ""
        return segment.isEmpty ? nil : String(validating: PercentEncoding.decoded(Array(segment.utf8)), as: UTF8.self)
    }

    /// Makes a name harmless.
    ///
    /// - Parameter name: What somebody suggests.
    /// - Returns: What is left of it; `nil` where that is nothing.
    package static func clean(_ name: String) -> String? {
        let last = name.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last ?? []
        var scalars = String.UnicodeScalarView()
        for scalar in last where !isUnseen(scalar) { scalars.append(isReserved(scalar) ? "_" : scalar) }
        var text = Substring(String(scalars))
        while let first = text.unicodeScalars.first, first == "." || isBlank(first) {
            text.unicodeScalars.removeFirst()
        }
        while let last = text.unicodeScalars.last, last == "." || isBlank(last) { text.unicodeScalars.removeLast() }
        guard !text.isEmpty else { return nil }
        let (stem, ext) = parts(of: String(text))
        let device = stem.prefix { $0 != "." }.uppercased()
        return fitted(stem: devices.contains(device) ? "_" + stem : stem, ext: ext, suffix: "")
    }

    /// A name in two: `archive.tar` and `.gz`; what is too long or odd for an extension belongs to the stem.
    package static func parts(of name: String) -> (stem: String, ext: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        let ext = name[dot...]
        guard ext.utf8.count > 1, ext.utf8.count <= longestExtension, !ext.contains(" ") else { return (name, "") }
        return (String(name[..<dot]), String(ext))
    }

    /// Puts a name together, its stem cut where a letter ends so that it is not too long.
    private static func fitted(stem: String, ext: String, suffix: String) -> String {
        let room = longest - ext.utf8.count - suffix.utf8.count
        guard stem.utf8.count > room else { return stem + suffix + ext }
        var cut = stem[...]
        while cut.utf8.count > room { cut.removeLast() }
        // One letter may be made of more bytes than there is room for.
        return (cut.isEmpty ? String(standard.prefix(room)) : String(cut)) + suffix + ext
    }

    private static let devices: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
            + (0...9).flatMap { ["COM\($0)", "LPT\($0)"] } + ["¹", "²", "³"].flatMap { ["COM\($0)", "LPT\($0)"] })

    /// What would hide something or turn the order of what is shown round.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F,
            0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// What another system takes for something else than a letter.
    private static func isReserved(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ":", "*", "?", "\"", "<", ">", "|": true
        default: false
        }
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    /// Whether a name can be a file's in a folder, as it is.
    package static func isPossible(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
            && !name.utf8.contains { $0 == 0x2F || $0 == 0 }
    }
}
