// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A client's certificate with its private key.
public struct TLSIdentity: Sendable, Hashable {
    /// The certificate, and behind it those of its issuers that the server may lack.
    public var certificates: PEMSource
    /// The private key.
    public var key: PEMSource
    /// What the key is encrypted with; `nil` for a key in the clear.
    public var passphrase: String?

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - certificates: The certificate, and behind it those of its issuers that the server may lack.
    ///   - key: The private key; by default it stands with the certificates.
    ///   - passphrase: What the key is encrypted with; `nil` for a key in the clear.
    public init(certificates: PEMSource, key: PEMSource? = nil, passphrase: String? = nil) {
        self.certificates = certificates
        self.key = key ?? certificates
        self.passphrase = passphrase
    }
}

extension TLSIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where the certificate comes from; no secret.
    public var description: String { "identity of \(certificates)" }

    /// As ``description``.
    public var debugDescription: String { description }

    /// As ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["certificates": certificates]) }
}
