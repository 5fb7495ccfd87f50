// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A client's certificate with its private key.
public struct TLSIdentity: Sendable, Hashable {
    /// The source of the certificate and the key.
    package enum Source: Sendable, Hashable {
        case pem(certificates: PEMSource, key: PEMSource)
        case archive(PKCS12Source)
        /// An identity of the system's keychain.
        case keychain(KeychainIdentity)
    }

    package let source: Source
    /// The passphrase of an encrypted key or archive; `nil` if the key is not encrypted.
    package let passphrase: String?

    /// Creates an identity from certificates and a key in PEM.
    ///
    /// The engine of `import SimorghNIO` supports it; a `URLSession` of an Apple platform does not, because the system
    /// cannot import such a key without its keychain.
    ///
    /// - Parameters:
    ///   - certificates: The certificate, followed by those of its issuers that the server may lack.
    ///   - key: The private key; by default it is in the same source as the certificates.
    ///   - passphrase: The passphrase of an encrypted key; `nil` if the key is not encrypted.
    public init(certificates: PEMSource, key: PEMSource? = nil, passphrase: String? = nil) {
        source = .pem(certificates: certificates, key: key ?? certificates)
        self.passphrase = passphrase
    }

    /// Creates an identity from a PKCS #12 archive, which every transport supports that supports identities.
    ///
    /// - Parameters:
    ///   - pkcs12: The archive, with the certificate, its key, and the certificates of its issuers.
    ///   - passphrase: The passphrase of the archive.
    public init(pkcs12: PKCS12Source, passphrase: String) {
        source = .archive(pkcs12)
        self.passphrase = passphrase
    }

    package init(_ keychain: KeychainIdentity) {
        source = .keychain(keychain)
        passphrase = nil
    }
}

/// A PKCS #12 archive (`.p12` or `.pfx`) with a certificate and its private key.
@nonexhaustive
public enum PKCS12Source: Sendable, Hashable {
    /// The archive itself.
    case data(Data)
    /// The path of a file with the archive, up to 4 MiB; the file is read when it is first needed.
    case file(String)
}

/// An identity of the system's keychain, as the transport that uses it represents it.
package struct KeychainIdentity: Sendable, Hashable {
    package let value: any Hashable & Sendable

    package init(_ value: any Hashable & Sendable) { self.value = value }

    package static func == (left: Self, right: Self) -> Bool { AnyHashable(left.value) == AnyHashable(right.value) }

    package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
}

extension PKCS12Source: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The source; never the archive, which contains a key.
    public var description: String {
        switch self {
        case .data: "PKCS #12 archive"
        case .file(let path): path
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The same as ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TLSIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The source of the certificate; contains no secret.
    public var description: String {
        switch source {
        case .pem(let certificates, _): "identity of \(certificates)"
        case .archive(let archive): "identity of \(archive)"
        case .keychain: "identity of the keychain"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The same as ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["source": description]) }
}
