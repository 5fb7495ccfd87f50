// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
public import Security
public import SimorghCore
import SimorghRealtime

extension TLSIdentity {
    /// Creates an identity from one of the keychain, whose key may be in the Secure Enclave.
    ///
    /// ``URLSessionTransport`` and ``/SimorghRealtime/NetworkWebSocketTransport`` can use it. Two values are equal if
    /// their certificates and keys are, so that requests with an identity that is read from the keychain anew share the
    /// connections of the earlier ones.
    ///
    /// - Parameters:
    ///   - identity: The identity.
    ///   - issuers: The certificates of its issuers that the server may lack. Default: none.
    public init(_ identity: SecIdentity, issuers: [SecCertificate] = []) {
        self.init(KeychainIdentity(SystemIdentity(identity, issuers: issuers)))
    }
}

extension SessionTrust {
    /// Returns the client's certificate and key.
    func credential() throws(TransportError) -> URLCredential {
        guard let found = try identity?.systemIdentity() else { throw ClientIdentity.importError(0) }
        return URLCredential(identity: found.identity, certificates: found.issuers, persistence: .none)
    }
}
#endif
