// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A store that keeps cookies in memory.
public final class MemoryCookieStore: CookieStore {
    private let jar: Mutex<CookieJar>

    /// Creates a store.
    ///
    /// - Parameter cookies: The initial cookies; empty by default.
    public init(_ cookies: [StoredCookie] = []) { jar = Mutex(CookieJar(cookies)) }

    /// Calls a function with the jar and keeps its changes.
    ///
    /// - Parameter body: The function. It must not call the store again.
    /// - Returns: The result of the function.
    public func withJar<Result: Sendable>(_ body: @Sendable (inout CookieJar) -> Result) async -> Result {
        jar.withLock { body(&$0) }
    }
}
