// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
public import Security
public import SimorghCore
import SimorghSupport

/// An identity of the keychain.
///
/// Unchecked, because the type of Security may not be marked as sendable. It is safe: a `SecIdentity` is an immutable
/// reference to a certificate and a key, which the system uses from any thread, and the properties are constants.
///
/// The keychain returns another object for each query, so objects are compared by their contents.
private struct SystemIdentity: @unchecked Sendable, Hashable {
    let identity: SecIdentity
    /// The certificates of its issuers.
    let issuers: [SecCertificate]

    static func == (left: Self, right: Self) -> Bool {
        CFEqual(left.identity, right.identity) && left.issuers.elementsEqual(right.issuers) { CFEqual($0, $1) }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(CFHash(identity)) }
}

extension TLSIdentity {
    /// Creates an identity from one of the keychain, whose key may be in the Secure Enclave.
    ///
    /// Only ``URLSessionTransport`` can use it. Two values are equal if their certificates and keys are, so that requests
    /// with an identity that is read from the keychain anew share the connections of the earlier ones.
    ///
    /// - Parameters:
    ///   - identity: The identity.
    ///   - issuers: The certificates of its issuers that the server may lack. Default: none.
    public init(_ identity: SecIdentity, issuers: [SecCertificate] = []) {
        self.init(KeychainIdentity(SystemIdentity(identity: identity, issuers: issuers)))
    }
}

extension SessionTrust {
    /// Returns the client's certificate and key.
    func credential() throws(TransportError) -> URLCredential {
        do throws(TLSOptionsError) {
            let found = try systemIdentity()
            return URLCredential(identity: found.identity, certificates: found.issuers, persistence: .none)
        } catch {
            throw TransportError(error)
        }
    }

    private func systemIdentity() throws(TLSOptionsError) -> SystemIdentity {
        if case .keychain(let keychain) = options.identity?.source, let found = keychain.value as? SystemIdentity {
            return found
        }
        var items: CFArray?
        let settings: [String: Any] = [
            kSecImportExportPassphrase as String: options.identity?.passphrase ?? "",
            kSecImportToMemoryOnly as String: true,
        ]
        let status = SecPKCS12Import(SystemTrust.data(archive ?? []), settings as CFDictionary, &items)
        guard let item = (items as? [[String: Any]])?.first,
            let identity = item[kSecImportItemIdentity as String]
        else { throw Self.importError(Int(status)) }
        let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        // The value for this key is a SecIdentity by definition, and a cast to a Core Foundation type always succeeds.
        // swift-format-ignore: NeverForceUnwrap
        return SystemIdentity(identity: identity as! SecIdentity, issuers: Array(chain.dropFirst()))
    }
}
#endif
