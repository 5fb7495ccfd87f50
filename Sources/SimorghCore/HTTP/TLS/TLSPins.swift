// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
public import SimorghSupport

/// The public keys of which a host's verified certificate chain must contain one.
///
/// ```swift
/// client.with { $0.tls.pins = [TLSPins(host: "**.example.com", keys: ["sha256/…", "sha256/…"])] }
/// ```
/// A pin is the SHA-256 of a certificate's public key (its `SubjectPublicKeyInfo`). Pinning the key of an issuer lets
/// a host renew its own certificate. A backup pin, of a key kept in reserve, lets the host change its key if the
/// first is lost: without a backup, programs with the old pin can no longer connect.
public struct TLSPins: Sendable, Hashable {
    /// The hosts: `api.example.com`; `*.example.com` for one more label; `**.example.com` for any number; `*` for all.
    public let host: String
    /// The pins, as `sha256/` and the hash in base64; curl's form with two slashes is accepted, too.
    public let keys: [String]
    /// The time at which the pins stop applying; `nil` for never.
    ///
    /// With it, a program that is no longer updated is not cut off.
    public let expires: Date?
    /// True if only the key of the server's own certificate satisfies the pins, as with curl.
    ///
    /// Such pins do not apply to proxies.
    package var appliesToServerKeyOnly = false
    private let digests: Set<[UInt8]>
    private let pattern: HostPattern?
    package let fault: TLSOptionsError?

    /// Creates pins.
    ///
    /// - Parameters:
    ///   - host: The hosts, in the form of ``host``.
    ///   - keys: The pins, at least two unless `needsBackup` is `false`.
    ///   - expires: The time at which the pins stop applying; `nil` for never.
    ///   - needsBackup: True if a single pin is an error.
    public init(host: String, keys: [String], expires: Date? = nil, needsBackup: Bool = true) {
        self.host = host
        self.keys = keys
        self.expires = expires
        let pattern = HostPattern(host)
        self.pattern = pattern
        var digests: Set<[UInt8]> = []
        var fault: TLSOptionsError?
        for key in keys {
            if let digest = Self.digest(key) {
                digests.insert(digest)
            } else {
                fault =
                    fault
                    ?? TLSOptionsError(
                        .pin, message: "\(key.prefix(80)) is not a pin: write sha256/ and 32 bytes in base64")
            }
        }
        if fault == nil, digests.count < (needsBackup ? 2 : 1) {
            fault = TLSOptionsError(
                .backupPin,
                message: digests.isEmpty ? "there is no pin for \(host)" : "there is no backup pin for \(host)")
        }
        if fault == nil, pattern == nil {
            fault = TLSOptionsError(.hostPattern, message: "\(host) is not a host pattern")
        }
        self.digests = digests
        self.fault = fault
    }

    /// Returns true if the pins apply to a host at a time.
    package func bind(_ host: String, at now: Date) -> Bool {
        guard expires.map({ now < $0 }) ?? true else { return false }
        return pattern?.matches(host) ?? true
    }

    /// Returns true if one of the given public keys is pinned.
    ///
    /// - Parameter keys: The `SubjectPublicKeyInfo` of each certificate.
    /// - Returns: True if one of them is pinned.
    package func accept(_ keys: some Sequence<[UInt8]>) -> Bool {
        keys.contains { digests.contains(Array(SHA256.hash(data: $0))) }
    }

    /// Returns true if the public keys of a server satisfy the pins.
    ///
    /// - Parameters:
    ///   - server: The `SubjectPublicKeyInfo` of the server's own certificate; `nil` if it cannot be read.
    ///   - chain: Those of the verified chain, including the server's.
    /// - Returns: True if one of the keys that count is pinned.
    package func accept(server: [UInt8]?, chain: [[UInt8]]) -> Bool {
        let own: [[UInt8]] = server.map { [$0] } ?? []
        return accept(appliesToServerKeyOnly ? own : chain)
    }

    /// Returns the pin of a public key.
    ///
    /// - Parameter key: The `SubjectPublicKeyInfo` in DER.
    /// - Returns: `sha256/` and the hash in base64.
    package static func pin(of key: [UInt8]) -> String {
        "sha256/" + Data(SHA256.hash(data: key)).base64EncodedString()
    }

    private static func digest(_ pin: String) -> [UInt8]? {
        guard pin.hasPrefix("sha256/") else { return nil }
        let text = pin.dropFirst(7)
        // The hash itself may begin with a slash: 44 characters are 32 bytes.
        let hash = text.count == 45 && text.hasPrefix("/") ? text.dropFirst() : text
        guard let bytes = Data(base64Encoded: String(hash)), bytes.count == 32 else { return nil }
        return Array(bytes)
    }
}
