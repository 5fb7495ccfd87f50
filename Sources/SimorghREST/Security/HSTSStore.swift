// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
public import SimorghCore
public import SimorghSupport
import Synchronization

/// The hosts that must be reached over TLS (HTTP Strict Transport Security, RFC 6797), in memory or in a file.
///
/// ```swift
/// let store = try await HSTSStore(path: "/var/lib/tour/hsts.txt")
/// try await store.preload(contentsOf: "/usr/share/tour/preload.txt")
/// let client = client.with { $0.hsts = store }
/// try await store.flush()
/// ```
/// A client with a store changes an `http` URL of a known host to `https` before anything is looked up, connected or
/// sent: for requests, redirects, streams, downloads and WebSockets, over every transport. Port 80 becomes 443, and
/// other ports are kept. The store learns hosts from the field `Strict-Transport-Security`, only over TLS, only from
/// connections with a verified certificate (not with `TLSEvaluation.unsafeInsteadOfVerification`), and never for IP
/// addresses. There is no exception for a known host whose certificate is rejected (RFC 6797, section 12.1).
///
/// The file has the format of curl's `--hsts` and mode 0600. It is replaced as a whole, shortly after a change. Programs
/// may share it: each write first reads the changes of the others, under a lock. A known host that sends the field again
/// changes the file only if its expiry has moved by more than a tenth of the time until then, at least a minute and at most
/// a day; smaller changes are written with the next one, or by ``flush()``.
public final class HSTSStore: Sendable {
    /// A known host.
    public struct Host: Sendable, Hashable {
        /// The name, in lowercase.
        public let name: String
        /// A Boolean value that indicates whether the hosts below it require TLS, too.
        public let includesSubdomains: Bool
        /// The time when the host is forgotten, unless it sends the field again.
        public let expires: Date
    }

    /// The default number of hosts of a store, without those that are preloaded.
    public static let defaultMaximumHosts = 10_000

    private struct State {
        var table: HSTSTable
        var isScheduled = false
    }

    private let time: TimeSource
    private let file: PrivateFile?
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "simorgh.hsts")

    /// Creates an empty store in memory.
    ///
    /// - Parameters:
    ///   - maximumHosts: The largest number of hosts; beyond it, those that expire first are forgotten. Of one
    ///     registrable domain, at most 200 are kept.
    ///   - time: The clock. Default: the system's.
    public init(maximumHosts: Int = HSTSStore.defaultMaximumHosts, time: TimeSource = .system) {
        self.time = time
        file = nil
        state = Mutex(State(table: HSTSTable(maximumHosts: maximumHosts, recordsChanges: false)))
    }

    /// Opens a file; if it does not exist, it is created at the first change.
    ///
    /// - Parameters:
    ///   - path: The path of the file; its folder must exist.
    ///   - maximumHosts: The largest number of hosts, as in memory, but at most 60,000, which a file can always hold.
    ///   - time: The clock. Default: the system's.
    /// - Throws: ``HSTSFileError`` if the file cannot be read, has an invalid line, or can be written by other users.
    public init(
        path: String, maximumHosts: Int = HSTSStore.defaultMaximumHosts, time: TimeSource = .system
    ) async throws {
        let file = PrivateFile(path)
        let now = time.now
        let entries = try await FileQueue.run { () throws(HSTSFileError) in
            defer { file.sweep() }
            return try Self.entries(of: file, at: now)
        }
        var table = HSTSTable(maximumHosts: min(maximumHosts, HSTSFile.maximumHosts), recordsChanges: true)
        table.synchronize(with: entries, at: now)
        self.time = time
        self.file = file
        state = Mutex(State(table: table))
    }

    /// Adds the hosts of a list, which are never forgotten and not written to the file of the store.
    ///
    /// The list is either Chromium's `transport_security_state_static.json`, or a text with a host on each line: with a
    /// dot before it, the hosts below it require TLS, too; `#` begins a comment. A host that sends `max-age=0` stays
    /// preloaded.
    ///
    /// - Parameter path: The path of the list, up to 64 MiB.
    /// - Throws: ``HSTSFileError`` if the list cannot be read.
    public func preload(contentsOf path: String) async throws {
        let hosts = try await FileQueue.run { () throws(HSTSFileError) in
            let contents: PrivateFile.Contents?
            do throws(PrivateFile.FileError) {
                contents = try PrivateFile(path).read(upTo: HSTSPreloadList.maximumBytes)
            } catch {
                throw HSTSFileError(error, path: path)
            }
            guard let contents else { throw HSTSFileError(.system(ENOENT), path: path) }
            do throws(HSTSPreloadList.ListError) {
                return try HSTSPreloadList.hosts(in: contents.bytes)
            } catch {
                throw HSTSFileError(.damaged, path: path, line: error.line, message: error.message)
            }
        }
        preload(hosts)
    }

    /// Adds hosts that are never forgotten and not written to the file of the store.
    ///
    /// - Parameter domains: The names of the hosts; the hosts below them require TLS, too. Addresses and invalid names
    ///   are ignored.
    public func preload(_ domains: [String]) {
        preload(Dictionary(domains.compactMap { HostLines.name($0) }.map { ($0, true) }) { first, _ in first })
    }

    private func preload(_ hosts: [String: Bool]) {
        state.withLock { $0.table.preloaded.merge(hosts) { $0 || $1 } }
    }

    /// Returns true if requests to a host are sent over TLS only.
    ///
    /// - Parameter host: The name of the host.
    /// - Returns: True if the host, or a domain above it that includes its subdomains, is known or preloaded.
    public func requiresHTTPS(_ host: String) -> Bool { HostLines.name(host).map(requiresTLS) ?? false }

    /// The known hosts by name, without those that are preloaded or expired.
    public var hosts: [Host] {
        let now = time.now
        return state.withLock { $0.table.entries }.filter { $0.value.expires > now }.sorted { $0.key < $1.key }.map {
            Host(name: $0.key, includesSubdomains: $0.value.includesSubdomains, expires: $0.value.expires)
        }
    }

    /// Adds a host, or replaces its entry, as if the host had sent the field.
    ///
    /// - Parameters:
    ///   - host: The name of the host; an address or an invalid name is ignored.
    ///   - includesSubdomains: True if the hosts below it require TLS, too.
    ///   - age: The time after which the host is forgotten, at most two years.
    public func add(_ host: String, includesSubdomains: Bool = false, for age: Duration) {
        guard let name = HostLines.name(host), age > .zero else { return }
        let now = time.now
        let seconds = min(
            Double(age.components.seconds) + Double(age.components.attoseconds) * 1e-18, Double(HSTSField.longestAge))
        change {
            $0.set(
                name, to: .init(expires: now.addingTimeInterval(seconds), includesSubdomains: includesSubdomains),
                at: now)
        }
    }

    /// Forgets a host; a preloaded one is kept.
    ///
    /// - Parameter host: The name of the host.
    public func remove(_ host: String) {
        guard let name = HostLines.name(host) else { return }
        change { $0.remove(name) }
    }

    /// Waits until all changes so far are in the file; does nothing for a store in memory.
    ///
    /// - Throws: ``HSTSFileError`` if the file cannot be written; the previous file is unchanged.
    public func flush() async throws {
        guard file != nil else { return }
        let outcome: Result<Void, HSTSFileError> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(HSTSFileError) in try self.save() }) }
        }
        try outcome.get()
    }

    private func change(_ change: (inout HSTSTable) -> Void) {
        let needsSave = state.withLock { state in
            change(&state.table)
            guard file != nil, !state.isScheduled, state.table.needsSave else { return false }
            state.isScheduled = true
            return true
        }
        // After a failed write the next change, or `flush`, tries again.
        if needsSave { queue.async { try? self.save() } }
    }

    /// Adds the changes to the file; called only on the queue, one call at a time.
    private func save() throws(HSTSFileError) {
        guard let file else { return }
        let changes = state.withLock { state in
            state.isScheduled = false
            return state.table.takeChanges()
        }
        guard !changes.isEmpty else { return }
        do throws(HSTSFileError) {
            let lock = FolderLock(file.folder)
            defer { lock?.release() }
            let now = time.now
            var entries = try Self.entries(of: file, at: now)
            for (host, change) in changes { entries[host] = change.entry }
            let merged = state.withLock { state in
                state.table.synchronize(with: entries, at: now)
                return state.table.entries
            }
            do throws(PrivateFile.FileError) {
                try file.replace(with: HSTSFile.data(merged))
            } catch {
                throw HSTSFileError(error, path: file.path, isWriting: true)
            }
        } catch {
            state.withLock { $0.table.restore(changes) }
            throw error
        }
    }

    private static func entries(of file: PrivateFile, at now: Date) throws(HSTSFileError) -> [String: HSTSTable.Entry] {
        let contents: PrivateFile.Contents?
        do throws(PrivateFile.FileError) {
            contents = try file.read(upTo: HSTSFile.maximumBytes, refusesOthers: true)
        } catch {
            throw HSTSFileError(error, path: file.path)
        }
        do throws(HSTSFile.LineError) {
            return try HSTSFile.entries(in: contents?.bytes ?? [], at: now)
        } catch {
            throw HSTSFileError(
                .damaged, path: file.path, line: error.line, message: "is not a line of an HSTS file")
        }
    }
}

extension HSTSStore: TransportSecurityPolicy {
    package func requiresTLS(_ host: String) -> Bool {
        let now = time.now
        return state.withLock { $0.table.requiresTLS(host, at: now) }
    }

    package func receive(_ field: String, from host: String) {
        guard let field = HSTSField(field) else { return }
        let now = time.now
        change { $0.receive(field, from: host, at: now) }
    }
}

extension APIClient.Configuration {
    /// The store of hosts that are reached over TLS only; it learns them from the field `Strict-Transport-Security`.
    ///
    /// Default: `nil`, `http` URLs are requested as they are, and the field is ignored.
    ///
    /// The client's credentials for an `http` base URL of a known host go to the `https` origin. Origins in
    /// ``/SimorghCore/Authentication/limited(to:)`` are compared after the upgrade: name those of `https`.
    public var hsts: HSTSStore? {
        get { transportSecurity as? HSTSStore }
        set { transportSecurity = newValue }
    }
}
