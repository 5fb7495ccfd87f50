// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// TLS options for the hosts of a pattern.
public struct TLSRule: Sendable, Hashable {
    /// The hosts: `api.example.com`; `*.example.com` for one more label; `**.example.com` for any number; `*` for all.
    public let host: String
    /// The options for connections to these hosts; the rules of these options are ignored.
    public let options: TLSOptions
    package let pattern: HostPattern?

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - host: The hosts, in the form of ``host``.
    ///   - options: The options for connections to these hosts.
    public init(host: String, options: TLSOptions) {
        self.host = host
        self.options = options
        pattern = HostPattern(host)
    }
}
