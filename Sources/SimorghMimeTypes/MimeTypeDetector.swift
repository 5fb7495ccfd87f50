// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// Tells what bytes, files and names are.
///
/// It looks at the first ``MimeTypeDetector/length`` bytes and no further: at signatures of binary formats, into
/// containers (ZIP, ISO media, Ogg, Matroska), and at how text begins. More than 150 types are known.
/// ```swift
/// MimeTypeDetector.detectMimeType(from: imageData)?.mime         // "image/jpeg"
/// MimeTypeDetector.detectMimeType(fromExtension: "webp")?.mime   // "image/webp"
/// ```
/// It is a help, not a guard: whoever made the bytes may have made them look like anything.
public enum MimeTypeDetector {
    /// How many bytes are looked at: 4 KiB.
    public static let length = 4096

    /// The type of a content, told by its first bytes.
    ///
    /// - Parameter data: The content, or its first ``length`` bytes at least.
    /// - Returns: The type; `nil` where it is neither a known format nor text.
    public static func detectMimeType(from data: Data) -> MimeType? {
        detect(Array(data.prefix(length))[...], isCut: data.count >= length)
    }

    /// The type of a content, told by its first bytes, and by its name where these leave it open.
    ///
    /// Bytes come first: a picture named `notes.txt` is a picture. The name decides between kinds of text (CSS, CSV…),
    /// between the old Office formats, and for what has no signature.
    ///
    /// - Parameters:
    ///   - data: The content, or its first ``length`` bytes at least.
    ///   - fileName: The name of the file.
    /// - Returns: The type; `nil` where neither tells.
    public static func detectMimeType(from data: Data, fileName: String) -> MimeType? {
        let found = detectMimeType(from: data)
        guard let named = detectMimeType(fromExtension: fileExtension(of: fileName)) else { return found }
        guard let found else { return named }
        return isOpen(found, to: named) ? named : found
    }

    /// The type that files of an extension have.
    ///
    /// - Parameter ext: The extension, in any case, with or without a dot.
    /// - Returns: The type; `nil` for an unknown extension.
    public static func detectMimeType(fromExtension ext: String) -> MimeType? {
        let name = ext.hasPrefix(".") ? ext.dropFirst() : ext[...]
        return MimeExtensions.byExtension[name.lowercased()]
    }

    /// The type of a file, told by its first bytes and its name.
    ///
    /// The file is read where this is called, ``length`` bytes of it.
    ///
    /// - Parameter path: The file's path.
    /// - Returns: The type; `nil` where it cannot be told, or the file cannot be read.
    public static func detectMimeType(fromFile path: String) -> MimeType? {
        guard let bytes = FileBytes.prefix(of: path, upTo: length) else { return nil }
        return detectMimeType(from: Data(bytes), fileName: path)
    }

    /// The extensions of a type, the usual one first.
    ///
    /// - Parameter mime: The type, in any case; its parameters are not looked at.
    /// - Returns: The extensions, without dots; none for an unknown type.
    public static func extensions(for mime: String) -> [String] {
        let essence = mime.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        for line in MimeExtensions.table.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.first.map(String.init) == essence { return words.dropFirst().map(String.init) }
        }
        return []
    }

    /// Every type that is known, by bytes or by extension.
    public static var knownTypes: [MimeType] { MimeExtensions.byType.values.sorted { $0.mime < $1.mime } }

    private static func detect(_ bytes: ArraySlice<UInt8>, isCut: Bool) -> MimeType? {
        let type =
            MimeContainers.type(bytes) ?? MimeSignature.all.first { $0.matches(bytes) }?.mime ?? netpbm(bytes)
            ?? MimeText.type(bytes, isCut: isCut)
        return type.map(MimeExtensions.type)
    }

    /// The binary kinds of the simplest picture format: a letter, a digit, and a blank of some sort.
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

    /// Whether what the bytes say is too general to stand against what the name says.
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
