// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// Reads and writes the file format of curl: a line for each host, with a dot before it if the hosts below it require
/// TLS, too, and the end of the requirement in UTC.
///
/// ```
/// # Your HSTS cache. https://curl.se/docs/hsts.html
/// .example.com "20271127 20:12:10"
/// ```
package enum HSTSFile {
    package static let maximumBytes = 16 * 1024 * 1024
    /// The largest number of hosts: with the longest names, 276 bytes for each line, the file is not larger than one
    /// that is read.
    package static let maximumHosts = 60_000
    private static let header = """
        # Your HSTS cache. https://curl.se/docs/hsts.html
        # Written by Simorgh; curl reads it with --hsts.

        """
    /// The word of curl for an entry that does not expire.
    private static let unlimited = "unlimited"

    /// A line that does not follow the format.
    struct LineError: Error { let line: Int }

    /// Returns the entries of a file.
    ///
    /// - Parameters:
    ///   - bytes: The contents.
    ///   - now: The time; no entry lasts longer than ``HSTSField/longestAge`` from then on.
    /// - Returns: The entries by host.
    /// - Throws: The number of the first line that does not follow the format: the file may be another one, which must
    ///   not be replaced.
    static func entries(in bytes: [UInt8], at now: Date) throws(LineError) -> [String: HSTSTable.Entry] {
        let latest = now.addingTimeInterval(Double(HSTSField.longestAge))
        var entries: [String: HSTSTable.Entry] = [:]
        for (index, line) in HostLines.lines(of: bytes).enumerated() {
            let text = line.trimmed
            guard !text.isEmpty, text.first != "#" else { continue }
            let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == " " || $0 == "\t" }
            guard parts.count == 2, let (host, includesSubdomains) = HostLines.host(parts[0]),
                let expires = date(parts[1].trimmed)
            else { throw LineError(line: index + 1) }
            let entry = HSTSTable.Entry(expires: min(expires, latest), includesSubdomains: includesSubdomains)
            // Of two entries for a host, the one that lasts longer.
            if let other = entries[host], other.expires > entry.expires { continue }
            entries[host] = entry
        }
        return entries
    }

    package static func data(_ entries: [String: HSTSTable.Entry]) -> [UInt8] {
        var text = header
        for (host, entry) in entries.sorted(by: { $0.key < $1.key }) {
            text += "\(entry.includesSubdomains ? "." : "")\(host) \"\(Self.text(entry.expires))\"\n"
        }
        return Array(text.utf8)
    }

    private static func date(_ text: Substring) -> Date? {
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return nil }
        let inner = text.dropFirst().dropLast()
        if inner == unlimited { return .distantFuture }
        // 20271127 20:12:10
        let bytes = Array(inner.utf8)
        guard bytes.count == 17, bytes[8] == UInt8(ascii: " "), bytes[11] == UInt8(ascii: ":"),
            bytes[14] == UInt8(ascii: ":")
        else { return nil }
        let ranges = [0..<4, 4..<6, 6..<8, 9..<11, 12..<14, 15..<17]
        let numbers = ranges.compactMap { range in
            bytes[range].allSatisfy(\.isASCIIDigit) ? Int(String(decoding: bytes[range], as: UTF8.self)) : nil
        }
        guard numbers.count == 6, (1...12).contains(numbers[1]), numbers[2] >= 1,
            numbers[2] <= HTTPDate.days(inMonth: numbers[1], of: numbers[0]), numbers[3] < 24, numbers[4] < 60,
            numbers[5] <= 60
        else { return nil }
        let seconds = HTTPDate.seconds(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
            second: numbers[5])
        return Date(timeIntervalSince1970: Double(seconds))
    }

    private static func text(_ date: Date) -> String {
        // Sun, 06 Nov 1994 08:49:37 GMT
        let parts = HTTPDate.text(date).split(separator: " ")
        guard parts.count == 6, let month = HTTPDate.month(parts[2].utf8) else { return "19700101 00:00:00" }
        return "\(parts[3])\(month < 10 ? "0" : "")\(month)\(parts[1]) \(parts[4])"
    }
}
