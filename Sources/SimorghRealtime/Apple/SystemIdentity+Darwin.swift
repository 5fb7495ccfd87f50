// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
package import Security
package import SimorghCore
import SimorghSupport

/// An identity of the keychain, or of a PKCS #12 archive.
///
/// Unchecked, because the type of Security may not be marked as sendable. It is safe: a `SecIdentity` is an immutable
/// reference to a certificate and a key, which the system uses from any thread, and the properties are constants.
///
/// The keychain returns another object for each query, so objects are compared by their contents.
package struct SystemIdentity: @unchecked Sendable, Hashable {
    package let identity: SecIdentity
    /// The certificates of its issuers.
    package let issuers: [SecCertificate]

    package init(_ identity: SecIdentity, issuers: [SecCertificate]) {
        (self.identity, self.issuers) = (identity, issuers)
    }

    package static func == (left: Self, right: Self) -> Bool {
        CFEqual(left.identity, right.identity) && left.issuers.elementsEqual(right.issuers) { CFEqual($0, $1) }
    }

    // The hash of an identity contains the address of its key, which differs between equal objects.
    package func hash(into hasher: inout Hasher) { for issuer in issuers { hasher.combine(CFHash(issuer)) } }

    /// The identity in the form of Network.framework; `nil` only without memory.
    var forNetwork: sec_identity_t? { sec_identity_create_with_certificates(identity, issuers as CFArray) }
}

extension ClientIdentity {
    /// Returns the identity of the keychain, or imports the archive; blocks while the passphrase is hashed.
    package func systemIdentity() throws(TransportError) -> SystemIdentity {
        if let found = keychainValue as? SystemIdentity { return found }
        var items: CFArray?
        let settings: [String: Any] = [
            kSecImportExportPassphrase as String: passphrase, kSecImportToMemoryOnly as String: true,
        ]
        let status = SecPKCS12Import(SystemTrust.data(archive), settings as CFDictionary, &items)
        guard let item = (items as? [[String: Any]])?.first,
            let identity = item[kSecImportItemIdentity as String]
        else { throw Self.importError(Int(status)) }
        let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        // The value for this key is a SecIdentity by definition, and a cast to a Core Foundation type always succeeds.
        // swift-format-ignore: NeverForceUnwrap
        return SystemIdentity(identity as! SecIdentity, issuers: Array(chain.dropFirst()))
    }
}
#endif
