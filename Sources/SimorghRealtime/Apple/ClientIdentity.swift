// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport

/// A client's identity in a form that Apple's Security framework can use.
package struct ClientIdentity: Sendable {
    /// The reason to refuse a private key in PEM.
    package static let reasonAgainstPEM =
        "the system imports no private key in PEM; use TLSIdentity(pkcs12:passphrase:)"

    /// An identity of the keychain; `nil` for an archive.
    package let keychainValue: (any Hashable & Sendable)?
    /// The PKCS #12 archive; empty for an identity of the keychain.
    package let archive: [UInt8]
    /// The passphrase of the archive.
    package let passphrase: String

    /// Reads the file that an identity names; blocks.
    ///
    /// - Parameter identity: The identity, which is not in PEM.
    /// - Throws: `TLSOptionsError` if the file cannot be read, or if the key is in PEM.
    package init(reading identity: TLSIdentity) throws(TLSOptionsError) {
        passphrase = identity.passphrase ?? ""
        switch identity.source {
        case .pem: throw TLSOptionsError(.key, message: Self.reasonAgainstPEM)
        case .archive(let source): (keychainValue, archive) = (nil, try PEMText.read(source))
        case .keychain(let keychain): (keychainValue, archive) = (keychain.value, [])
        }
    }

    /// Returns the error for an archive that the system cannot import.
    ///
    /// - Parameter status: The `OSStatus` of `SecPKCS12Import`;
    ///   https://developer.apple.com/documentation/security/security-framework-result-codes
    /// - Returns: The error.
    package static func importError(_ status: Int) -> TransportError {
        // errSecAuthFailed and errSecPkcs12VerifyFailure.
        let isWrongPassphrase = [-25_293, -25_264].contains(status)
        return TransportError(
            isWrongPassphrase
                ? TLSOptionsError(.passphrase, message: "the passphrase does not open the PKCS #12 archive")
                : TLSOptionsError(.key, message: "the client's identity cannot be imported (OSStatus \(status))"))
    }
}

extension TLSIdentity {
    /// True if the system cannot use the identity, because its key is in PEM.
    package var isPEM: Bool { if case .pem = source { true } else { false } }
}
