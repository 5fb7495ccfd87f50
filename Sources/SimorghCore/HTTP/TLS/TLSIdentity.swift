// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A client's certificate with its private key.
public struct TLSIdentity: Sendable, Hashable {
    /// The certificate, followed by those of its issuers that the server may lack.
    public var certificates: PEMSource
    /// The private key.
    public var key: PEMSource
    /// The passphrase of an encrypted key; `nil` if the key is not encrypted.
    public var passphrase: String?

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - certificates: The certificate, followed by those of its issuers that the server may lack.
    ///   - key: The private key; by default it is in the same source as the certificates.
    ///   - passphrase: The passphrase of an encrypted key; `nil` if the key is not encrypted.
    public init(certificates: PEMSource, key: PEMSource? = nil, passphrase: String? = nil) {
        self.certificates = certificates
        self.key = key ?? certificates
        self.passphrase = passphrase
    }
}

extension TLSIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The source of the certificate; contains no secret.
    public var description: String { "identity of \(certificates)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The same as ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["certificates": certificates]) }
}
