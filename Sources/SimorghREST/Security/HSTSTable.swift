// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The hosts that require TLS: a value, whose functions take the time.
struct HSTSTable: Sendable {
    struct Entry: Sendable, Hashable {
        var expires: Date
        var includesSubdomains: Bool
    }

    /// The number of hosts of one site, after which the site's own hosts are removed first.
    ///
    /// A server with a certificate for `*.evil.example` could otherwise displace the hosts of all other sites.
    static let maximumHostsPerSite = 200

    private(set) var entries: [String: Entry] = [:]
    /// The preloaded hosts, with true if the hosts below them require TLS, too.
    var preloaded: [String: Bool] = [:]
    /// The hosts that were added or removed (`nil`) since the last ``takeChanges()``.
    private(set) var changes: [String: Entry?] = [:]
    private let maximumHosts: Int
    private let recordsChanges: Bool

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - maximumHosts: The largest number of hosts.
    ///   - recordsChanges: True to record ``changes`` for a file.
    init(maximumHosts: Int, recordsChanges: Bool) {
        self.maximumHosts = max(1, maximumHosts)
        self.recordsChanges = recordsChanges
    }

    /// Returns true if a host or a domain above it requires TLS (RFC 6797, section 8.2).
    func requiresTLS(_ host: String, at now: Date) -> Bool {
        var name = host[...]
        var isHost = true
        while !name.isEmpty {
            let key = String(name)
            if let includesSubdomains = preloaded[key], isHost || includesSubdomains { return true }
            if let entry = entries[key], entry.expires > now, isHost || entry.includesSubdomains { return true }
            guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
            name = name[name.utf8.index(after: dot)...]
            isHost = false
        }
        return false
    }

    /// Adds, refreshes or removes the host of a field.
    mutating func receive(_ field: HSTSField, from host: String, at now: Date) {
        if field.maximumAge == 0 {
            remove(host)
        } else {
            set(
                host,
                to: Entry(
                    expires: now.addingTimeInterval(Double(field.maximumAge)),
                    includesSubdomains: field.includesSubdomains), at: now)
        }
    }

    mutating func set(_ host: String, to entry: Entry, at now: Date) {
        if entries[host] == nil { makeRoom(for: host, at: now) }
        entries[host] = entry
        record(host, entry)
    }

    mutating func remove(_ host: String) {
        guard entries.removeValue(forKey: host) != nil else { return }
        record(host, nil)
    }

    private mutating func record(_ host: String, _ entry: Entry?) {
        guard recordsChanges else { return }
        changes[host] = .some(entry)
        // The file cannot be written: removals are forgotten, so that the changes are bounded, too.
        if changes.count > 2 * maximumHosts { changes = changes.filter { entries[$0.key] != nil } }
    }

    /// Returns the changes and forgets them; ``restore(_:)`` puts them back if they could not be saved.
    mutating func takeChanges() -> [String: Entry?] {
        defer { changes = [:] }
        return changes
    }

    /// Restores changes that could not be saved; later changes of the same hosts win.
    mutating func restore(_ old: [String: Entry?]) { changes.merge(old) { later, _ in later } }

    /// Replaces the entries by those of the file, with the changes since then.
    mutating func synchronize(with file: [String: Entry], at now: Date) {
        let later = changes
        entries = [:]
        for (host, entry) in file where entry.expires > now { entries[host] = entry }
        for (host, entry) in later { entries[host] = entry }
        trim(at: now)
        // The file gets these entries, so the hosts removed for lack of room are no change of it.
        changes = later
    }

    private mutating func makeRoom(for host: String, at now: Date) {
        let site = PublicSuffixes.registrableName(of: host)
        // Compared as text first, because finding the registrable name of each host costs more.
        let siblings = entries.keys.filter { $0.hasSuffix(site) && PublicSuffixes.registrableName(of: $0) == site }
        if siblings.count >= Self.maximumHostsPerSite { removeFirstToExpire(1, of: siblings) }
        if entries.count >= maximumHosts { trim(at: now, leavingRoom: 1 + maximumHosts / 20) }
    }

    /// Removes expired entries, and then those that expire first.
    private mutating func trim(at now: Date, leavingRoom room: Int = 0) {
        guard entries.count + room > maximumHosts else { return }
        for (host, entry) in entries where entry.expires <= now { remove(host) }
        removeFirstToExpire(entries.count + room - maximumHosts, of: Array(entries.keys))
    }

    private mutating func removeFirstToExpire(_ count: Int, of hosts: [String]) {
        guard count > 0 else { return }
        let sorted = hosts.sorted {
            (entries[$0]?.expires ?? .distantPast, $0) < (entries[$1]?.expires ?? .distantPast, $1)
        }
        for host in sorted.prefix(count) { remove(host) }
    }
}
