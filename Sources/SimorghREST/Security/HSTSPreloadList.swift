// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// A list of hosts that require TLS before they were ever reached.
///
/// Either the JSON of Chromium (`transport_security_state_static.json`, with lines that begin with `//`), or a line
/// for each host, with a dot before it if the hosts below it require TLS, too.
enum HSTSPreloadList {
    static let maximumBytes = 64 * 1024 * 1024
    static let maximumHosts = 1_000_000

    private struct ChromiumList: Decodable {
        struct Entry: Decodable {
            let name: String
            let mode: String?
            let includesSubdomains: Bool?

            private enum CodingKeys: String, CodingKey {
                case name, mode
                case includesSubdomains = "include_subdomains"
            }
        }
        let entries: [Entry]
    }

    /// A list that does not follow either format.
    struct ListError: Error {
        /// The number of the line; `nil` if the JSON is damaged.
        let line: Int?
        let message: String
    }

    /// Returns the hosts of a list, with true if the hosts below them require TLS, too.
    static func hosts(in bytes: [UInt8]) throws(ListError) -> [String: Bool] {
        let lines = HostLines.lines(of: bytes)
        let first = lines.lazy.map(\.trimmed).first { !$0.isEmpty && !$0.hasPrefix("//") && !$0.hasPrefix("#") }
        if first?.first == "{" { return try chromium(lines) }
        var hosts: [String: Bool] = [:]
        for (index, line) in lines.enumerated() {
            let text = line.trimmed
            guard !text.isEmpty, text.first != "#" else { continue }
            guard let (host, includesSubdomains) = HostLines.host(text) else {
                throw ListError(line: index + 1, message: "is not the name of a host")
            }
            try add(host, includesSubdomains, to: &hosts)
        }
        return hosts
    }

    private static func chromium(_ lines: [Substring]) throws(ListError) -> [String: Bool] {
        let text = lines.filter { !$0.trimmed.hasPrefix("//") }.joined(separator: "\n")
        let list: ChromiumList
        do {
            list = try JSONDecoder().decode(ChromiumList.self, from: Data(text.utf8))
        } catch {
            throw ListError(line: nil, message: "is not a preload list in JSON")
        }
        var hosts: [String: Bool] = [:]
        // An entry without this mode only has pins.
        for entry in list.entries where entry.mode == "force-https" {
            guard let host = HostLines.name(entry.name) else { continue }
            try add(host, entry.includesSubdomains ?? false, to: &hosts)
        }
        return hosts
    }

    private static func add(_ host: String, _ includesSubdomains: Bool, to hosts: inout [String: Bool])
        throws(ListError)
    {
        guard hosts.count < maximumHosts else {
            throw ListError(line: nil, message: "has more than \(maximumHosts) hosts")
        }
        hosts[host] = includesSubdomains || hosts[host] ?? false
    }
}
