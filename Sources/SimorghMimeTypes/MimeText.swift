// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A detector for the types of text, by its beginning.
enum MimeText {
    /// Returns the type of text in UTF-8, or in UTF-16 with a byte order mark.
    ///
    /// - Parameters:
    ///   - bytes: The first bytes.
    ///   - isTruncated: True if more bytes may follow, so that the last character may be incomplete.
    /// - Returns: The type; `nil` if the bytes are not text.
    static func type(_ bytes: ArraySlice<UInt8>, isTruncated: Bool) -> String? {
        guard !bytes.isEmpty else { return nil }
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) { return "text/plain" }
        var bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        guard bytes.allSatisfy(isTextByte), isUTF8(bytes, isTruncated: isTruncated) else { return nil }
        let text = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        switch text.first {
        case UInt8(ascii: "<"): return markup(text) ?? "text/plain"
        case UInt8(ascii: "{"), UInt8(ascii: "["): return json(text, isTruncated: isTruncated) ?? "text/plain"
        default: return beginning(bytes) ?? "text/plain"
        }
    }

    private static func isTextByte(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || (0x07...0x0D).contains(byte) || byte == 0x1B
    }

    private static func isUTF8(_ bytes: ArraySlice<UInt8>, isTruncated: Bool) -> Bool {
        if String(validating: bytes, as: UTF8.self) != nil { return true }
        guard isTruncated else { return false }
        return (1...3).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
    }

    // MARK: Markup

    private static let roots: [(name: String, type: String)] = [
        ("svg", "image/svg+xml"), ("html", "application/xhtml+xml"), ("rss", "application/rss+xml"),
        ("feed", "application/atom+xml"), ("kml", "application/vnd.google-earth.kml+xml"),
        ("gpx", "application/gpx+xml"), ("plist", "application/x-plist"), ("mpd", "application/dash+xml"),
        ("xsl:stylesheet", "application/xslt+xml"),
    ]

    private static let html: Set<String> = [
        "html", "head", "body", "title", "script", "style", "table", "iframe", "div", "h1", "a", "p", "br", "font", "b",
        "!doctype html",
    ]

    private static func markup(_ bytes: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        let isXML = text.hasPrefix("<?xml")
        guard let root = firstTag(of: text) else { return isXML ? "application/xml" : nil }
        let name = String(root.prefix { !($0.isWhitespace || $0 == "/" || $0 == ">") })
        if let known = roots.first(where: { $0.name == name }), isXML || name != "html" { return known.type }
        if isXML { return "application/xml" }
        if html.contains(name) || text.hasPrefix("<!doctype html") { return "text/html" }
        return root.contains("xmlns") ? "application/xml" : nil
    }

    /// Returns the first element's tag, from its name to its end; skips comments, instructions and declarations.
    private static func firstTag(of text: String) -> Substring? {
        var rest = text[...]
        while let open = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: open)...]
            if rest.hasPrefix("!--") {
                guard let end = rest.firstRange(of: "-->") else { return nil }
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("?") || rest.hasPrefix("!") {
                guard let end = rest.firstIndex(of: ">") else { return nil }
                rest = rest[end...]
            } else {
                return rest.prefix { $0 != ">" }
            }
        }
        return nil
    }

    // MARK: JSON

    private static func json(_ bytes: ArraySlice<UInt8>, isTruncated: Bool) -> String? {
        var tokens = JSONTokenizer(bytes, maximumDepth: 127, isStrict: false)
        do throws(JSONTokenizer.SyntaxError) {
            while !tokens.isComplete { _ = try tokens.next() }
        } catch {
            return isTruncated && error == .cut ? "application/json" : nil
        }
        let end = tokens.position
        let next = bytes[end...].drop(while: \.isJSONSpace)
        guard let first = next.first else { return "application/json" }
        // A value on one line, and the next value on another.
        let isLines = bytes[end..<next.startIndex].contains(0x0A) && !bytes[..<end].contains(0x0A)
        guard isLines, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
        return "application/x-ndjson"
    }

    // MARK: By the first words

    private static let beginnings: [(start: String, type: String)] = [
        ("BEGIN:VCARD", "text/vcard"), ("BEGIN:VCALENDAR", "text/calendar"), ("WEBVTT", "text/vtt"),
        ("#EXTM3U", "application/vnd.apple.mpegurl"), ("-----BEGIN PGP PUBLIC KEY", "application/pgp-keys"),
        ("-----BEGIN ", "application/x-pem-file"), ("From ", "application/mbox"),
        ("Received: ", "message/rfc822"), ("Return-Path: ", "message/rfc822"), ("diff --git ", "text/x-diff"),
        ("P1\n", "image/x-portable-bitmap"), ("P2\n", "image/x-portable-greymap"),
        ("P3\n", "image/x-portable-pixmap"), ("<?php", "text/x-php"), ("\\documentclass", "text/x-tex"),
    ]

    private static func beginning(_ bytes: ArraySlice<UInt8>) -> String? {
        for (start, type) in beginnings where bytes.starts(with: start.utf8) { return type }
        if bytes.starts(with: "#!".utf8) {
            let line = String(decoding: bytes.prefix { $0 != 0x0A }.prefix(128), as: UTF8.self)
            let interpreters = [
                ("python", "text/x-python"), ("perl", "text/x-perl"), ("ruby", "text/x-ruby"),
                ("node", "text/javascript"),
                ("php", "text/x-php"), ("sh", "text/x-shellscript"),
            ]
            return interpreters.first { line.contains($0.0) }?.1
        }
        // SubRip subtitles: a number, then times with an arrow.
        let lines = bytes.prefix(64).split(separator: 0x0A, maxSplits: 2)
        if lines.count > 1, Int(String(decoding: lines[0].filter { $0 != 0x0D }, as: UTF8.self)) != nil,
            String(decoding: lines[1], as: UTF8.self).contains(" --> ")
        {
            return "application/x-subrip"
        }
        return nil
    }
}
