// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Keeps a ``CookieJar`` for the clients that share it: in memory, in a file, or where you like.
///
/// ```swift
/// let store = MemoryCookieStore()
/// let browser = client.with { $0.cookies = store }
/// await store.withJar { $0.removeAll() }
/// ```
/// The jar knows all rules; a store of your own only keeps it, and may look at ``CookieJar/revision`` to learn whether there
/// is something to write down. An actor can be one.
public protocol CookieStore: Sendable {
    /// Gives the jar to a function, and keeps what it makes of it. One function has it at a time.
    ///
    /// - Parameter body: The function. It must not ask the store again.
    /// - Returns: What the function returns.
    func withJar<Result: Sendable>(_ body: @Sendable (inout CookieJar) -> Result) async -> Result
}

extension CookieStore {
    /// All cookies that are kept, by domain and then in the order in which they were set.
    public var cookies: [StoredCookie] {
        get async { await withJar { $0.cookies } }
    }
}

extension CookieStore where Self == MemoryCookieStore {
    /// A new, empty store in memory; it lives as long as the configurations that hold it.
    public static var memory: MemoryCookieStore { MemoryCookieStore() }
}
