// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A detector for the types of files in container formats, by their first bytes.
enum MimeContainers {
    /// Returns the type of a container; `nil` if the container format is not supported.
    static func type(_ bytes: ArraySlice<UInt8>) -> String? {
        if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06]) {
            return zip(bytes)
        }
        if text(bytes, at: 4, count: 4) == "ftyp" { return isoMedia(bytes) }
        if bytes.starts(with: "OggS".utf8) { return ogg(bytes) }
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return matroska(bytes) }
        return nil
    }

    private static func text(_ bytes: ArraySlice<UInt8>, at offset: Int, count: Int) -> String? {
        guard offset >= 0, count >= 0, bytes.count >= offset + count else { return nil }
        let start = bytes.startIndex + offset
        return String(decoding: bytes[start..<start + count], as: UTF8.self)
    }

    // MARK: ZIP

    /// Returns the type of a ZIP archive by the names of its first members.
    ///
    /// Searches for the signatures of the members, because a member's size may be given only after its data.
    private static func zip(_ bytes: ArraySlice<UInt8>) -> String {
        var names: [String] = []
        var index = bytes.startIndex
        while index + 30 <= bytes.endIndex, names.count < 64 {
            guard bytes[index...].starts(with: [0x50, 0x4B, 0x03, 0x04]) else {
                index += 1
                continue
            }
            let offset = index - bytes.startIndex
            let length = Int(bytes[index + 26]) | Int(bytes[index + 27]) << 8
            let extra = Int(bytes[index + 28]) | Int(bytes[index + 29]) << 8
            guard let name = text(bytes, at: offset + 30, count: length) else { break }
            if names.isEmpty, name == "mimetype" {
                let size = Int(bytes[index + 18]) | Int(bytes[index + 19]) << 8
                // EPUB and OpenDocument begin with an uncompressed member that contains the type.
                if size <= 128, let type = text(bytes, at: offset + 30 + length + extra, count: size),
                    let known = MimeExtensions.byType[type]
                {
                    return known.mime
                }
            }
            names.append(name)
            index += 30 + length
        }
        return zip(names)
    }

    private static func zip(_ names: [String]) -> String {
        func has(_ prefix: String) -> Bool { names.contains { $0.hasPrefix(prefix) } }
        let office = "application/vnd.openxmlformats-officedocument."
        if has("word/") { return office + "wordprocessingml.document" }
        if has("xl/") { return office + "spreadsheetml.sheet" }
        if has("ppt/") { return office + "presentationml.presentation" }
        if has("visio/") { return "application/vnd.ms-visio.drawing.main+xml" }
        if has("AndroidManifest.xml") || has("classes.dex") { return "application/vnd.android.package-archive" }
        if has("META-INF/mozilla.rsa") { return "application/x-xpinstall" }
        if has("META-INF/") { return "application/java-archive" }
        return "application/zip"
    }

    // MARK: Video and audio

    private static let brands: [String: String] = [
        "M4V ": "video/x-m4v", "M4VH": "video/x-m4v", "M4VP": "video/x-m4v", "M4A ": "audio/mp4", "M4B ": "audio/mp4",
        "M4P ": "audio/mp4", "qt  ": "video/quicktime", "heic": "image/heic", "heix": "image/heic",
        "heim": "image/heic", "heis": "image/heic", "hevc": "image/heic", "hevx": "image/heic", "mif1": "image/heif",
        "msf1": "image/heif", "avif": "image/avif", "avis": "image/avif", "crx ": "image/x-canon-cr3",
    ]

    private static func isoMedia(_ bytes: ArraySlice<UInt8>) -> String {
        guard let brand = text(bytes, at: 8, count: 4) else { return "video/mp4" }
        if brand == "mif1" || brand == "msf1" {
            // `mif1` and `msf1` are general brands for images: the compatible brands determine the image format.
            let size = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            for offset in stride(from: 16, to: min(size, bytes.count, 256) - 3, by: 4) {
                if let other = text(bytes, at: offset, count: 4), other != "mif1", other != "msf1",
                    let type = brands[other], type.hasPrefix("image/")
                {
                    return type
                }
            }
        }
        if let type = brands[brand] { return type }
        if brand.hasPrefix("3g2") { return "video/3gpp2" }
        if brand.hasPrefix("3g") { return "video/3gpp" }
        return "video/mp4"
    }

    private static func ogg(_ bytes: ArraySlice<UInt8>) -> String {
        let isVideo = text(bytes, at: 29, count: 6) == "theora" || text(bytes, at: 28, count: 5) == "BBCD\0"
        return isVideo ? "video/ogg" : "audio/ogg"
    }

    private static func matroska(_ bytes: ArraySlice<UInt8>) -> String {
        // The document type is in the first element, after its identifier 42 82.
        let head = bytes.prefix(128)
        var index = head.startIndex
        while index + 3 < head.endIndex {
            if head[index] == 0x42, head[index + 1] == 0x82 {
                return head[(index + 3)...].starts(with: "webm".utf8) ? "video/webm" : "video/x-matroska"
            }
            index += 1
        }
        return "video/x-matroska"
    }
}
