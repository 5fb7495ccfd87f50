// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// A store that keeps cookies in a file, so that they survive the program.
///
/// ```swift
/// let store = try await FileCookieStore(path: "/var/lib/tour/cookies.json")
/// let browser = client.with { $0.cookies = store }
/// try await store.flush()
/// ```
/// A change is written shortly after it is made, on a queue that may block; several changes are combined into one
/// write. Each write atomically replaces the file by a new one that only its owner can read. A call does not wait for
/// the write and does not fail because of it; call ``flush()`` before the program ends. Two processes must not share
/// a file: the later write wins.
public final class FileCookieStore: CookieStore {
    /// The treatment of a file that is not a valid cookie file.
    public enum DamagedFilePolicy: Sendable, Hashable {
        /// The file is renamed to end in `.damaged`, and the store begins empty.
        case setAside
        /// The store cannot be created: the initializer throws.
        case refuse
    }

    /// A format of a cookie file.
    ///
    /// The first line of an existing file determines its format, which is kept when the file is written.
    public enum Format: Sendable, Hashable {
        /// All properties of a cookie, as JSON.
        case json
        /// The format of curl, wget and browser exports, so that programs can share a file, one after the other.
        ///
        /// `SameSite` and the order of use are lost. Cookies without a name and cookies with a tab are not written.
        case netscape
    }

    private struct State {
        var jar: CookieJar
        /// The revision of the jar that the file contains.
        var savedRevision = 0
        var isScheduled = false
    }

    private static let readers = DispatchQueue(label: "simorgh.cookies.open", attributes: .concurrent)

    private let file: CookieFile
    private let keepsSessionCookies: Bool
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "simorgh.cookies")

    /// Opens a cookie file; if it does not exist, it is created at the first change.
    ///
    /// - Parameters:
    ///   - path: The path of the file; its folder must exist.
    ///   - keepsSessionCookies: True to also write cookies that expire with the program. Default: `false`.
    ///   - format: The format of a new file.
    ///   - damaged: The treatment of a file that is not a valid cookie file.
    /// - Throws: ``CookieFileError`` if the file cannot be read, or if it is damaged and `damaged` is `refuse`.
    public init(
        path: String, keepsSessionCookies: Bool = false, format: Format = .json, damaged: DamagedFilePolicy = .setAside
    ) async throws {
        let file = CookieFile(path: path, format: format)
        let loaded: Result<(CookieFile, [StoredCookie]), CookieFileError> = await withCheckedContinuation {
            continuation in
            Self.readers.async {
                continuation.resume(
                    returning: Result { () throws(CookieFileError) in try Self.load(file, damaged: damaged) })
            }
        }
        let (opened, cookies) = try loaded.get()
        self.file = opened
        self.keepsSessionCookies = keepsSessionCookies
        state = Mutex(State(jar: CookieJar(cookies)))
    }

    /// Returns the file with the format that it has, and its cookies.
    private static func load(
        _ file: CookieFile, damaged: DamagedFilePolicy
    ) throws(CookieFileError) -> (CookieFile, [StoredCookie]) {
        defer { file.sweep() }
        var opened = file
        do {
            let cookies = try opened.load()
            return (opened, cookies)
        } catch {
            guard error.reason == .damaged, damaged == .setAside else { throw error }
            try file.setAside()
            return (file, [])
        }
    }

    /// Calls a function with the jar, keeps its changes, and writes them shortly after.
    ///
    /// - Parameter body: The function. It must not call the store again.
    /// - Returns: The result of the function.
    public func withJar<Result: Sendable>(_ body: @Sendable (inout CookieJar) -> Result) async -> Result {
        let (result, needsSave) = state.withLock { state in
            let result = body(&state.jar)
            let needsSave = state.jar.revision != state.savedRevision && !state.isScheduled
            if needsSave { state.isScheduled = true }
            return (result, needsSave)
        }
        // After a failed write the next change, or `flush`, tries again.
        if needsSave { queue.async { try? self.save() } }
        return result
    }

    /// Waits until all changes so far are in the file.
    ///
    /// - Throws: ``CookieFileError`` if the file cannot be written; the previous file is unchanged.
    public func flush() async throws {
        let outcome: Result<Void, CookieFileError> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Result { () throws(CookieFileError) in try self.save() })
            }
        }
        try outcome.get()
    }

    /// Writes the cookies if they changed; called only on the queue, one call at a time.
    private func save() throws(CookieFileError) {
        let (cookies, revision): ([StoredCookie], Int?) = state.withLock { state in
            state.isScheduled = false
            return state.jar.revision == state.savedRevision ? ([], nil) : (state.jar.cookies, state.jar.revision)
        }
        guard let revision else { return }
        try file.save(keepsSessionCookies ? cookies : cookies.filter { $0.expires != nil })
        state.withLock { $0.savedRevision = revision }
    }
}
