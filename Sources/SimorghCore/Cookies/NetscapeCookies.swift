// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Reads and writes the text of a Netscape cookie file, as curl, wget and browsers' exports have it.
///
/// A line is a cookie of seven fields with tabs between them: domain, `TRUE` if the hosts below it get the cookie, path,
/// `TRUE` if only TLS does, the end in seconds since 1970 (`0` ends with the program), name, value. `#HttpOnly_` before the
/// domain is a flag; any other line that begins with `#` is a comment. `SameSite` has no place in the format.
enum NetscapeCookies {
    private static let header = """
        # Netscape HTTP Cookie File
        # https://curl.se/docs/http-cookies.html
        # Written by Simorgh; curl reads it with --cookie.

        """
    private static let httpOnly = "#HttpOnly_"
    private static let tab = UInt8(ascii: "\t")
    /// The end of the year 9999, which curl's dates can bear.
    private static let latest = 253_402_300_799.0

    /// True if the first line says that the file is one of this format.
    static func areIn(_ data: Data) -> Bool {
        data.starts(with: "# Netscape HTTP Cookie File".utf8) || data.starts(with: "# HTTP Cookie File".utf8)
    }

    /// The cookies of a file, in the order of their lines; lines that hold no cookie are skipped, as curl does.
    ///
    /// - Parameters:
    ///   - data: The file.
    ///   - now: The time that the cookies count as set at.
    /// - Returns: The cookies.
    static func cookies(in data: Data, at now: Date) -> [StoredCookie] {
        var cookies: [StoredCookie] = []
        for line in data.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            // The order of the lines decides the order in a request, where paths are of one length.
            let created = now.addingTimeInterval(Double(cookies.count) * 1e-6)
            if let cookie = cookie(Array(line), created) { cookies.append(cookie) }
        }
        return cookies
    }

    private static func cookie(_ line: [UInt8], _ created: Date) -> StoredCookie? {
        let isHTTPOnly = line.starts(with: httpOnly.utf8)
        let rest = isHTTPOnly ? line.dropFirst(httpOnly.utf8.count) : line[...]
        guard rest.first != UInt8(ascii: "#") else { return nil }
        let fields = rest.split(separator: tab, maxSplits: 6, omittingEmptySubsequences: false)
        // Without the last field the value is empty.
        guard fields.count >= 6, let domain = String(validating: fields[0], as: UTF8.self),
            let path = String(validating: fields[2], as: UTF8.self),
            let seconds = Int64(String(decoding: fields[4], as: UTF8.self))
        else { return nil }
        let (name, value) = (Array(fields[5]), fields.count == 7 ? Array(fields[6]) : [])
        let cookie = StoredCookie(
            name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self), domain: domain,
            isHostOnly: !isTrue(fields[1]), path: path,
            expires: seconds == 0 ? nil : Date(timeIntervalSince1970: min(Double(seconds), latest)), created: created,
            isSecure: isTrue(fields[3]), isHTTPOnly: isHTTPOnly)
        return cookie.with(StoredCookie.RawPair(name: name, value: value))
    }

    private static func isTrue(_ field: ArraySlice<UInt8>) -> Bool {
        String(decoding: field, as: UTF8.self).uppercased() == "TRUE"
    }

    /// The file for cookies; those that the format cannot hold are left out: without a name, or with a tab in one of their
    /// parts.
    static func data(_ cookies: [StoredCookie]) -> Data {
        var data = Data(header.utf8)
        for cookie in cookies {
            let seconds = cookie.expires.map { min($0.timeIntervalSince1970.rounded(.down), latest) } ?? 0
            // A cookie that has ended would read as one that ends with the program.
            guard seconds.isFinite, cookie.expires == nil || seconds > 0 else { continue }
            let domain = (cookie.isHTTPOnly ? httpOnly : "") + (cookie.isHostOnly ? "" : ".") + cookie.domain
            let fields = [
                Array(domain.utf8), word(!cookie.isHostOnly), Array(cookie.path.utf8), word(cookie.isSecure),
                Array("\(Int64(seconds))".utf8), cookie.nameBytes, cookie.valueBytes,
            ]
            guard !cookie.name.isEmpty, !fields.contains(where: { $0.contains { $0 < 0x20 } }) else { continue }
            data.append(contentsOf: fields.joined(separator: [tab]))
            data.append(UInt8(ascii: "\n"))
        }
        return data
    }

    private static func word(_ value: Bool) -> [UInt8] { Array((value ? "TRUE" : "FALSE").utf8) }
}
