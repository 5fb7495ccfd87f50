// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A reader and writer for the Netscape cookie file format of curl, wget and browser exports.
///
/// A line is a cookie of seven fields separated by tabs: domain, `TRUE` if subdomains receive the cookie, path,
/// `TRUE` if the cookie requires TLS, expiry in seconds since 1970 (`0` for a session cookie), name, value.
/// `#HttpOnly_` before the domain is a flag; any other line that begins with `#` is a comment. The format does not
/// support `SameSite`.
enum NetscapeCookies {
    private static let header = """
        # Netscape HTTP Cookie File
        # https://curl.se/docs/http-cookies.html
        # Written by Simorgh; curl reads it with --cookie.

        """
    private static let httpOnly = "#HttpOnly_"
    private static let tab = UInt8(ascii: "\t")
    /// The end of the year 9999, which curl's dates support.
    private static let latest = 253_402_300_799.0

    /// Returns true if the first line identifies the format.
    static func areIn(_ data: Data) -> Bool {
        data.starts(with: "# Netscape HTTP Cookie File".utf8) || data.starts(with: "# HTTP Cookie File".utf8)
    }

    /// Returns the cookies of a file, in the order of their lines; skips invalid lines, as curl does.
    ///
    /// - Parameters:
    ///   - data: The contents of the file.
    ///   - now: The time to use as the creation time of the cookies.
    /// - Returns: The cookies.
    static func cookies(in data: Data, at now: Date) -> [StoredCookie] {
        var cookies: [StoredCookie] = []
        for line in data.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            // The order of the lines determines the order in a request for paths of equal length.
            let created = now.addingTimeInterval(Double(cookies.count) * 1e-6)
            if let cookie = cookie(Array(line), created: created) { cookies.append(cookie) }
        }
        return cookies
    }

    private static func cookie(_ line: [UInt8], created: Date) -> StoredCookie? {
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

    /// Returns the contents of a file with the cookies.
    ///
    /// Leaves out cookies that the format does not support: without a name, or with a tab in one of their fields.
    static func data(_ cookies: [StoredCookie]) -> Data {
        var data = Data(header.utf8)
        for cookie in cookies {
            let seconds = cookie.expires.map { min($0.timeIntervalSince1970.rounded(.down), latest) } ?? 0
            // An expired cookie (0 or less) would be read as a session cookie.
            guard seconds.isFinite, cookie.expires == nil || seconds > 0 else { continue }
            let domain = (cookie.isHTTPOnly ? httpOnly : "") + (cookie.isHostOnly ? "" : ".") + cookie.domain
            let fields = [
                Array(domain.utf8), flag(!cookie.isHostOnly), Array(cookie.path.utf8), flag(cookie.isSecure),
                Array("\(Int64(seconds))".utf8), cookie.nameBytes, cookie.valueBytes,
            ]
            guard !cookie.name.isEmpty, !fields.contains(where: { $0.contains { $0 < 0x20 } }) else { continue }
            data.append(contentsOf: fields.joined(separator: [tab]))
            data.append(UInt8(ascii: "\n"))
        }
        return data
    }

    private static func flag(_ value: Bool) -> [UInt8] { Array((value ? "TRUE" : "FALSE").utf8) }
}
