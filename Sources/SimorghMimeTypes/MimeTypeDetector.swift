// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A detector for the media types of bytes, files and file names.
///
/// It examines only the first ``MimeTypeDetector/length`` bytes: signatures of binary formats, the contents of
/// containers (ZIP, ISO media, Ogg, Matroska), and the beginning of text. It knows more than 150 types.
/// ```swift
/// MimeTypeDetector.detectMimeType(from: imageData)?.mime         // "image/jpeg"
/// MimeTypeDetector.detectMimeType(fromExtension: "webp")?.mime   // "image/webp"
/// ```
/// Do not use it as a security check: the author of the bytes can make them look like any type.
public enum MimeTypeDetector {
    /// The number of bytes that are examined: 4 KiB.
    public static let length = 4096

    /// Detects the type of content by its first bytes.
    ///
    /// - Parameter data: The content, or at least its first ``length`` bytes.
    /// - Returns: The type; `nil` if the content is neither a known format nor text.
    public static func detectMimeType(from data: Data) -> MimeType? {
        detect(Array(data.prefix(length))[...], isTruncated: data.count >= length)
    }

    /// Detects the type of content by its first bytes, and by its file name if the bytes are ambiguous.
    ///
    /// The bytes have precedence: an image named `notes.txt` is an image. The name decides between types of text
    /// (CSS, CSV…), between the old Office formats, and for formats without a signature.
    ///
    /// - Parameters:
    ///   - data: The content, or at least its first ``length`` bytes.
    ///   - fileName: The name of the file.
    /// - Returns: The type; `nil` if neither the bytes nor the name determine it.
    public static func detectMimeType(from data: Data, fileName: String) -> MimeType? {
        let found = detectMimeType(from: data)
        guard let named = detectMimeType(fromExtension: fileExtension(of: fileName)) else { return found }
        guard let found else { return named }
        return isOpen(found, to: named) ? named : found
    }

    /// Returns the type of files with an extension.
    ///
    /// - Parameter ext: The extension, in any case, with or without a dot.
    /// - Returns: The type; `nil` for an unknown extension.
    public static func detectMimeType(fromExtension ext: String) -> MimeType? {
        let name = ext.hasPrefix(".") ? ext.dropFirst() : ext[...]
        return MimeExtensions.byExtension[name.lowercased()]
    }

    /// Detects the type of a file by its first bytes and its name.
    ///
    /// Reads the first ``length`` bytes of the file synchronously.
    ///
    /// - Parameter path: The file's path.
    /// - Returns: The type; `nil` if it cannot be determined, or the file cannot be read.
    public static func detectMimeType(fromFile path: String) -> MimeType? {
        guard let bytes = FileBytes.prefix(of: path, upTo: length) else { return nil }
        return detectMimeType(from: Data(bytes), fileName: path)
    }

    /// Returns the extensions of a type, the usual one first.
    ///
    /// - Parameter mime: The type, in any case; its parameters are ignored.
    /// - Returns: The extensions, without dots; empty for an unknown type.
    public static func extensions(for mime: String) -> [String] {
        let essence = mime.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        for line in MimeExtensions.table.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.first.map(String.init) == essence { return words.dropFirst().map(String.init) }
        }
        return []
    }

    /// All known types, sorted by name.
    public static var knownTypes: [MimeType] { MimeExtensions.byType.values.sorted { $0.mime < $1.mime } }

    private static func detect(_ bytes: ArraySlice<UInt8>, isTruncated: Bool) -> MimeType? {
        let type =
            MimeContainers.type(bytes) ?? MimeSignature.all.first { $0.matches(bytes) }?.mime ?? netpbm(bytes)
            ?? MimeText.type(bytes, isTruncated: isTruncated)
        return type.map(MimeExtensions.type)
    }

    /// Returns the type of a binary Netpbm image, which begins with a letter, a digit, and a space or line feed.
    private static func netpbm(_ bytes: ArraySlice<UInt8>) -> String? {
        let start = Array(bytes.prefix(3))
        guard start.count == 3, start[0] == UInt8(ascii: "P"), start[2] == 0x0A || start[2] == 0x20 else { return nil }
        return switch start[1] {
        case UInt8(ascii: "4"): "image/x-portable-bitmap"
        case UInt8(ascii: "5"): "image/x-portable-greymap"
        case UInt8(ascii: "6"): "image/x-portable-pixmap"
        case UInt8(ascii: "7"): "image/x-portable-arbitrarymap"
        default: nil
        }
    }

    /// Returns true if the type found in the bytes is so general that the type of the name should be used.
    private static func isOpen(_ found: MimeType, to named: MimeType) -> Bool {
        switch found.mime {
        case "text/plain", "application/xml", "application/json": named.isText
        case "application/zip":
            named.mime.hasPrefix("application/vnd.") || named.mime.contains("zip")
                || named.mime == "application/java-archive"
        case "application/x-ole-storage":
            [
                "application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint", "application/x-msi",
                "application/vnd.ms-outlook",
            ].contains(named.mime)
        case "video/x-ms-asf": ["video/x-ms-wmv", "audio/x-ms-wma"].contains(named.mime)
        case "video/x-matroska": named.mime == "audio/matroska"
        case "image/tiff": named.mime.hasPrefix("image/")
        default: false
        }
    }

    private static func fileExtension(of name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(name[name.utf8.index(after: dot)...])
    }
}
