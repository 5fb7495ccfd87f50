// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
import SimorghCore
import SimorghRealtime
import SimorghSupport

extension SessionTrust {
    /// Throws an error: challenges have no certificates.
    func credential(verifying space: URLProtectionSpace) throws(TransportError) -> URLCredential {
        throw SystemTrustError(status: 0, text: "the challenge has no certificates").transportError(for: space.host)
    }

    /// Throws an error: the system has no identities.
    func credential() throws(TransportError) -> URLCredential { throw ClientIdentity.importError(0) }
}
#endif
