// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// The TLS versions of a session or a connection, by their numbers in the protocol, which `tls_protocol_version_t` uses as well.
package struct TLSVersionRange: Hashable, Sendable {
    package let minimum: UInt16
    package let maximum: UInt16

    /// Creates the range that the options allow.
    package init(_ options: TLSOptions) { self.init(options, configured: 0, 0) }

    /// Creates the range that both the options and the session's configuration allow.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - minimum: The oldest version of the configuration.
    ///   - maximum: The newest version of the configuration; 0 if it sets none.
    package init(_ options: TLSOptions, configured minimum: UInt16, _ maximum: UInt16) {
        self.minimum = max(minimum, Self.number(options.minimumVersion))
        let newest = Self.number(options.maximumVersion)
        self.maximum = maximum == 0 ? newest : min(maximum, newest)
    }

    private static func number(_ version: TLSOptions.Version) -> UInt16 {
        version == .tls12 ? 0x0303 : 0x0304
    }
}
