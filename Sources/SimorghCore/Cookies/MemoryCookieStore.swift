// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// Keeps cookies in memory.
public final class MemoryCookieStore: CookieStore {
    private let jar: Mutex<CookieJar>

    /// Creates a store.
    ///
    /// - Parameter cookies: What is in it; nothing by default.
    public init(_ cookies: [StoredCookie] = []) { jar = Mutex(CookieJar(cookies)) }

    /// Gives the jar to a function, and keeps what it makes of it.
    ///
    /// - Parameter body: The function. It must not ask the store again.
    /// - Returns: What the function returns.
    public func withJar<Result: Sendable>(_ body: @Sendable (inout CookieJar) -> Result) async -> Result {
        jar.withLock { body(&$0) }
    }
}
