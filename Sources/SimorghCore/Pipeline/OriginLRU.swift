// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// A value for each origin, with a limit: beyond it the least recently used origin is removed.
package struct OriginLRU<Value> {
    private var values = LRUCache<String, Value>()
    private let capacity: Int

    package init(capacity: Int = 1024) { self.capacity = max(1, capacity) }

    /// The number of stored origins.
    package var count: Int { values.count }

    /// Returns the value of an origin, without counting that as a use.
    package func peek(_ origin: String) -> Value? { values.peek(origin) }

    /// Changes the value of an origin, which is created first if it is new.
    package mutating func update<Result>(
        _ origin: String, default make: () -> Value, with change: (inout Value) -> Result
    ) -> Result {
        defer { if values.count > capacity { values.removeOldest() } }
        return values.update(origin, default: make, with: change)
    }
}

extension HTTPRequest {
    /// Scheme, host and port as one string, the same for all requests to one server.
    package var origin: String {
        let scheme = (scheme ?? "http").lowercased()
        if UnixSocketURL.isUnixSocket(scheme) { return "\(scheme)://\(authority ?? "")" }
        let authority = (authority ?? "").lowercased()
        let port = scheme == "https" ? ":443" : ":80"
        return "\(scheme)://\(authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority)"
    }
}
