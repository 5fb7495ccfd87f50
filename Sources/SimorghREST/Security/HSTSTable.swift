// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The hosts that require TLS: a value, whose functions take the time.
package struct HSTSTable: Sendable {
    package struct Entry: Sendable, Hashable {
        package var expires: Date
        package var includesSubdomains: Bool

        package init(expires: Date, includesSubdomains: Bool) {
            self.expires = expires
            self.includesSubdomains = includesSubdomains
        }
    }

    /// A change that the file does not have yet.
    package struct Change: Sendable, Hashable {
        /// The entry of the host; `nil` if the host was removed.
        package let entry: Entry?
        /// The entry that the file has; `nil` if it has none.
        fileprivate let saved: Entry?
    }

    /// The number of hosts of one site, after which the site's own hosts are removed first.
    ///
    /// A server with a certificate for `*.evil.example` could otherwise displace the hosts of all other sites.
    static let maximumHostsPerSite = 200

    package private(set) var entries: [String: Entry] = [:]
    /// The preloaded hosts, with true if the hosts below them require TLS, too.
    var preloaded: [String: Bool] = [:]
    /// The hosts that were added, refreshed or removed since the last ``takeChanges()``.
    private(set) var changes: [String: Change] = [:]
    /// True if a change should be written to the file at once.
    ///
    /// Servers send the field in every response, which moves the expiry by the time since the last one. The file would
    /// be written all the time if each of these changes counted: they are written with the next one that does, or by
    /// a flush.
    package private(set) var needsSave = false
    private let maximumHosts: Int
    private let recordsChanges: Bool

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - maximumHosts: The largest number of hosts.
    ///   - recordsChanges: True to record ``changes`` for a file.
    package init(maximumHosts: Int, recordsChanges: Bool) {
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
    package mutating func receive(_ field: HSTSField, from host: String, at now: Date) {
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
        let old = entries.updateValue(entry, forKey: host)
        record(host, entry, after: old) { Self.isSignificant(entry, after: $0, at: now) }
    }

    mutating func remove(_ host: String) {
        guard let old = entries.removeValue(forKey: host) else { return }
        record(host, nil, after: old) { _ in true }
    }

    /// Returns the change of an expiry beyond which the file is written, in seconds.
    ///
    /// A tenth of the age, at least a minute and at most a day: a program that ends without a flush leaves a file in which
    /// the host expires earlier by no more than that.
    package static func tolerance(of entry: Entry, at now: Date) -> Double {
        min(86_400, max(60, entry.expires.timeIntervalSince(now) / 10))
    }

    private static func isSignificant(_ entry: Entry, after saved: Entry?, at now: Date) -> Bool {
        guard let saved, saved.includesSubdomains == entry.includesSubdomains else { return true }
        return abs(entry.expires.timeIntervalSince(saved.expires)) > tolerance(of: entry, at: now)
    }

    private mutating func record(
        _ host: String, _ entry: Entry?, after old: Entry?, isSignificant: (_ saved: Entry?) -> Bool
    ) {
        guard recordsChanges else { return }
        let saved = if let earlier = changes[host] { earlier.saved } else { old }
        changes[host] = Change(entry: entry, saved: saved)
        if isSignificant(saved) { needsSave = true }
        // The file cannot be written: removals are forgotten, so that the changes are bounded, too.
        if changes.count > 2 * maximumHosts { changes = changes.filter { entries[$0.key] != nil } }
    }

    /// Returns the changes and forgets them; ``restore(_:)`` puts them back if they could not be saved.
    package mutating func takeChanges() -> [String: Change] {
        defer { (changes, needsSave) = ([:], false) }
        return changes
    }

    /// Restores changes that could not be saved; later changes of the same hosts win.
    package mutating func restore(_ old: [String: Change]) {
        changes.merge(old) { later, earlier in Change(entry: later.entry, saved: earlier.saved) }
        needsSave = !changes.isEmpty
    }

    /// Replaces the entries by those of the file, with the changes since then.
    mutating func synchronize(with file: [String: Entry], at now: Date) {
        let (later, isLaterSignificant) = (changes, needsSave)
        entries = [:]
        for (host, entry) in file where entry.expires > now { entries[host] = entry }
        for (host, change) in later { entries[host] = change.entry }
        trim(at: now)
        // The file gets these entries, so the hosts removed for lack of room are no change of it.
        (changes, needsSave) = (later, isLaterSignificant)
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
