// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// Keeps cookies in a file, so that the next run of the program has them.
///
/// ```swift
/// let store = try await FileCookieStore(path: "/var/lib/tour/cookies.json")
/// let browser = client.with { $0.cookies = store }
/// try await store.flush()
/// ```
/// A change is written soon after it is made, on a queue that may block; several at once become one. Each time a new file, which
/// only its owner can read, takes the place of the old one, so that there is never half of one. A call does not wait for
/// that and does not fail by it: ``flush()`` does, before a program ends. Two processes must not share a file: the later write
/// wins.
public final class FileCookieStore: CookieStore {
    /// What to do with a file that is not one of cookies.
    public enum DamagedFile: Sendable, Hashable {
        /// It gets `.damaged` after its name, and the store begins empty.
        case setAside
        /// Nothing: the store cannot be made.
        case refuse
    }

    /// The format of a file of cookies.
    ///
    /// The first line of an existing file tells its format, in which it is written again.
    public enum Format: Sendable, Hashable {
        /// All that is known of a cookie, as JSON.
        case json
        /// The lines that curl, wget and browsers' exports use, so that programs share a file, one after the other.
        ///
        /// `SameSite` and the order of use are lost. Cookies without a name and cookies with a tab are not written.
        case netscape
    }

    private struct State {
        var jar: CookieJar
        /// The revision that is in the file.
        var saved = 0
        var isScheduled = false
    }

    private static let readers = DispatchQueue(label: "simorgh.cookies.open", attributes: .concurrent)

    private let file: CookieFile
    private let keepsSessionCookies: Bool
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "simorgh.cookies")

    /// Opens a file of cookies; one that is not there is made at the first change.
    ///
    /// - Parameters:
    ///   - path: The file; its folder is there already.
    ///   - keepsSessionCookies: Whether cookies that end with the program are written, too; `false` by default.
    ///   - format: The format of a new file.
    ///   - damaged: What to do with a file that is not one of cookies.
    /// - Throws: ``CookieFileError`` for a file that cannot be read, or is damaged and refused.
    public init(
        path: String, keepsSessionCookies: Bool = false, format: Format = .json, damaged: DamagedFile = .setAside
    ) async throws {
        let file = CookieFile(path: path, format: format)
        let loaded: Result<(CookieFile, [StoredCookie]), CookieFileError> = await withCheckedContinuation {
            continuation in
            Self.readers.async {
                continuation.resume(
                    returning: Result { () throws(CookieFileError) in try Self.load(file, damaged) })
            }
        }
        let (opened, cookies) = try loaded.get()
        self.file = opened
        self.keepsSessionCookies = keepsSessionCookies
        state = Mutex(State(jar: CookieJar(cookies)))
    }

    /// The file in the format that it has, and its cookies.
    private static func load(
        _ file: CookieFile, _ damaged: DamagedFile
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

    /// Gives the jar to a function, keeps what it makes of it, and writes it down soon.
    ///
    /// - Parameter body: The function. It must not ask the store again.
    /// - Returns: What the function returns.
    public func withJar<Result: Sendable>(_ body: @Sendable (inout CookieJar) -> Result) async -> Result {
        let (result, isDue) = state.withLock { state in
            let result = body(&state.jar)
            let isDue = state.jar.revision != state.saved && !state.isScheduled
            if isDue { state.isScheduled = true }
            return (result, isDue)
        }
        // What cannot be written stays due; the next change, or `flush`, tries again.
        if isDue { queue.async { try? self.save() } }
        return result
    }

    /// Waits until all changes so far are in the file.
    ///
    /// - Throws: ``CookieFileError`` when the file cannot be written; the one before it is untouched.
    public func flush() async throws {
        let outcome: Result<Void, CookieFileError> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Result { () throws(CookieFileError) in try self.save() })
            }
        }
        try outcome.get()
    }

    /// Writes what there is, if something changed; on the queue only, one at a time.
    private func save() throws(CookieFileError) {
        let (cookies, revision): ([StoredCookie], Int?) = state.withLock { state in
            state.isScheduled = false
            return state.jar.revision == state.saved ? ([], nil) : (state.jar.cookies, state.jar.revision)
        }
        guard let revision else { return }
        try file.save(keepsSessionCookies ? cookies : cookies.filter { $0.expires != nil })
        state.withLock { $0.saved = revision }
    }
}
