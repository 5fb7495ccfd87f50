// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
public import SimorghSupport

/// The public keys of which one has to be in a host's verified chain of certificates.
///
/// ```swift
/// client.with { $0.tls.pins = [TLSPins(host: "**.example.com", keys: ["sha256/…", "sha256/…"])] }
/// ```
/// A pin is the SHA-256 of a certificate's public key (its `SubjectPublicKeyInfo`). Pinning the key of an issuer lets a
/// host renew its own certificate. A backup, the pin of a key that is kept in reserve, is what you can change over to when
/// a key is lost: without one, the program that holds the pins is cut off.
public struct TLSPins: Sendable, Hashable {
    /// The hosts: `api.example.com`; `*.example.com` for one more label; `**.example.com` for any number; `*` for all.
    public let host: String
    /// The pins, as `sha256/` and the hash in base64; curl's form with two slashes is read, too.
    public let keys: [String]
    /// When they bind no longer, so that a program that nobody updates any more is not cut off; `nil` for never.
    public let expires: Date?
    /// Whether only the key of the server's own certificate satisfies them, as with curl; no proxy is held to such.
    package var bindsServerAlone = false
    private let digests: Set<[UInt8]>
    private let pattern: HostPattern?
    package let fault: InvalidTLSOptions?

    /// Creates pins.
    ///
    /// - Parameters:
    ///   - host: The hosts, as ``host`` has them.
    ///   - keys: The pins, at least two unless `needsBackup` is `false`.
    ///   - expires: When they bind no longer; `nil` for never.
    ///   - needsBackup: Whether a single pin is an error.
    public init(host: String, keys: [String], expires: Date? = nil, needsBackup: Bool = true) {
        self.host = host
        self.keys = keys
        self.expires = expires
        let pattern = HostPattern(host)
        self.pattern = pattern
        var digests: Set<[UInt8]> = []
        var fault: InvalidTLSOptions?
        for key in keys {
            if let digest = Self.digest(key) {
                digests.insert(digest)
            } else {
                fault =
                    fault
                    ?? InvalidTLSOptions(.pin, "\(key.prefix(80)) is no pin: it takes sha256/ and 32 bytes in base64")
            }
        }
        if fault == nil, digests.count < (needsBackup ? 2 : 1) {
            fault = InvalidTLSOptions(
                .backupPin, digests.isEmpty ? "there is no pin for \(host)" : "there is no backup pin for \(host)")
        }
        if fault == nil, pattern == nil { fault = InvalidTLSOptions(.hostPattern, "\(host) is no pattern of hosts") }
        self.digests = digests
        self.fault = fault
    }

    /// Whether they bind a host at a time.
    package func bind(_ host: String, at now: Date) -> Bool {
        guard expires.map({ now < $0 }) ?? true else { return false }
        return pattern?.matches(host) ?? true
    }

    /// Whether one of some public keys is pinned.
    ///
    /// - Parameter keys: The `SubjectPublicKeyInfo` of each certificate.
    /// - Returns: Whether one is.
    package func accept(_ keys: some Sequence<[UInt8]>) -> Bool {
        keys.contains { digests.contains(Array(SHA256.hash(data: $0))) }
    }

    /// Whether a server may be spoken with that showed some public keys.
    ///
    /// - Parameters:
    ///   - server: The `SubjectPublicKeyInfo` of the server's own certificate; `nil` where that has none to be read.
    ///   - chain: Those of the verified chain, the server's with them.
    /// - Returns: Whether one that counts is pinned.
    package func accept(server: [UInt8]?, chain: [[UInt8]]) -> Bool {
        let own: [[UInt8]] = server.map { [$0] } ?? []
        return accept(bindsServerAlone ? own : chain)
    }

    /// The pin of a public key.
    ///
    /// - Parameter key: Its `SubjectPublicKeyInfo` in DER.
    /// - Returns: `sha256/` and the hash in base64.
    package static func pin(of key: [UInt8]) -> String {
        "sha256/" + Data(SHA256.hash(data: key)).base64EncodedString()
    }

    private static func digest(_ pin: String) -> [UInt8]? {
        guard pin.hasPrefix("sha256/") else { return nil }
        let text = pin.dropFirst(7)
        // The hash may begin with a slash of its own: 44 characters are 32 bytes.
        let hash = text.count == 45 && text.hasPrefix("/") ? text.dropFirst() : text
        guard let bytes = Data(base64Encoded: String(hash)), bytes.count == 32 else { return nil }
        return Array(bytes)
    }
}
