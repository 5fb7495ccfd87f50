// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// TLS options for the hosts of a pattern.
public struct TLSRule: Sendable, Hashable {
    /// The hosts: `api.example.com`; `*.example.com` for one more label; `**.example.com` for any number; `*` for all.
    public let host: String
    /// How to connect to them; rules among these are not looked at.
    public let options: TLSOptions
    package let pattern: HostPattern?

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - host: The hosts, as ``host`` has them.
    ///   - options: How to connect to them.
    public init(host: String, options: TLSOptions) {
        self.host = host
        self.options = options
        pattern = HostPattern(host)
    }
}
