// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A store for a ``CookieJar`` that clients share: in memory, in a file, or elsewhere.
///
/// ```swift
/// let store = MemoryCookieStore()
/// let browser = client.with { $0.cookies = store }
/// await store.withJar { $0.removeAll() }
/// ```
/// The jar implements all rules; a store of your own only keeps it, and may compare ``CookieJar/revision`` to learn
/// if there is a change to save. An actor can conform.
public protocol CookieStore: Sendable {
    /// Calls a function with the jar and keeps its changes; only one function at a time has access.
    ///
    /// - Parameter body: The function. It must not call the store again.
    /// - Returns: The result of the function.
    func withJar<Result: Sendable>(_ body: @Sendable (inout CookieJar) -> Result) async -> Result
}

extension CookieStore {
    /// All cookies in the store, by domain and then in the order in which they were set.
    public var cookies: [StoredCookie] {
        get async { await withJar { $0.cookies } }
    }
}

extension CookieStore where Self == MemoryCookieStore {
    /// A new, empty store in memory; it lives as long as the configurations that contain it.
    public static var memory: MemoryCookieStore { MemoryCookieStore() }
}
