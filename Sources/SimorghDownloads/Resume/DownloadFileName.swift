// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Functions that choose a safe file name, whatever name the caller or the server suggests.
package enum DownloadFileName {
    /// The maximum length of a name that file systems accept, in bytes.
    package static let maximumBytes = 255
    /// The default file name.
    package static let standard = "download"
    /// The maximum length of an extension that is kept when the name is cut, in bytes.
    private static let maximumExtensionBytes = 32

    /// Chooses a name.
    ///
    /// - Parameters:
    ///   - given: The name from the caller.
    ///   - disposition: The header field `Content-Disposition` of the response.
    ///   - url: The URL that responded; its last path segment is decoded once.
    ///   - detected: The extension detected from the content; it is added to a name without one.
    /// - Returns: A name without path separators, which cannot leave its folder.
    package static func choose(
        given: String?, disposition: String? = nil, url: String, detected: String? = nil
    ) -> String {
        let name =
            given.flatMap(clean) ?? disposition.flatMap(ContentDisposition.fileName).flatMap(clean)
            ?? lastSegment(of: url).flatMap(clean) ?? standard
        guard let detected, parts(of: name).ext.isEmpty else { return name }
        return fitted(stem: name, ext: ".\(detected)", suffix: "")
    }

    /// Returns the name with a number, for a name that exists: `photo (2).png`.
    package static func numbered(_ name: String, with number: Int) -> String {
        let (stem, ext) = parts(of: name)
        return fitted(stem: stem, ext: ext, suffix: " (\(number))")
    }

    /// Returns the last segment of a URL's path, decoded once; `nil` if it is empty or not valid text.
    package static func lastSegment(of url: String) -> String? {
        let segment = URLReference(url).path.cut(at: "/").last ?? ""
        return segment.isEmpty ? nil : String(validating: PercentEncoding.decoded(Array(segment.utf8)), as: UTF8.self)
    }

    /// Makes a suggested name safe.
    ///
    /// - Parameter name: The suggested name.
    /// - Returns: The safe name; `nil` if nothing is left of it.
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

    /// Splits a name: `archive.tar` and `.gz`; a suffix too long or odd for an extension belongs to the stem.
    package static func parts(of name: String) -> (stem: String, ext: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        let ext = name[dot...]
        guard ext.utf8.count > 1, ext.utf8.count <= maximumExtensionBytes, !ext.contains(" ") else { return (name, "") }
        return (String(name[..<dot]), String(ext))
    }

    /// Joins a name; a stem that is too long is cut at a character boundary.
    private static func fitted(stem: String, ext: String, suffix: String) -> String {
        let room = maximumBytes - ext.utf8.count - suffix.utf8.count
        guard stem.utf8.count > room else { return stem + suffix + ext }
        var cut = stem[...]
        while cut.utf8.count > room { cut.removeLast() }
        // A single character may need more bytes than are available.
        return (cut.isEmpty ? String(standard.prefix(room)) : String(cut)) + suffix + ext
    }

    private static let devices: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
            + (0...9).flatMap { ["COM\($0)", "LPT\($0)"] } + ["¹", "²", "³"].flatMap { ["COM\($0)", "LPT\($0)"] })

    /// Returns true for characters that hide text or change its direction.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F,
            0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// Returns true for characters that have a special meaning on other systems.
    private static func isReserved(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ":", "*", "?", "\"", "<", ">", "|": true
        default: false
        }
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    /// Returns true if a name is valid as a file name without a change.
    package static func isPossible(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
            && !name.utf8.contains { $0 == 0x2F || $0 == 0 }
    }
}
