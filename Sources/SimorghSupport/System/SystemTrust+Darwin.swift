// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
package import CoreFoundation
package import Security

/// The verification of certificate chains by the Security framework; it blocks and may use the network.
package enum SystemTrust {
    /// Verifies the certificates that a server has sent.
    ///
    /// - Parameters:
    ///   - certificates: The certificates in DER, the server's own first.
    ///   - host: The name or address to verify; `nil` if the caller verifies it.
    ///   - roots: The trusted roots.
    /// - Returns: The verified chain in DER, from the server's own certificate to the root.
    /// - Throws: ``SystemTrustError`` if the chain is not trusted.
    package static func verify(
        _ certificates: [[UInt8]], host: String?, roots: TrustedRoots
    ) throws(SystemTrustError) -> [[UInt8]] {
        let sent = certificates.compactMap { SecCertificateCreateWithData(nil, data($0)) }
        var trust: SecTrust?
        let status = SecTrustCreateWithCertificates(
            sent as CFArray, SecPolicyCreateSSL(true, host as CFString?), &trust)
        guard let trust else {
            throw SystemTrustError(status: Int(status), text: "the server's certificates cannot be read")
        }
        return try verify(trust, host: host, roots: roots)
    }

    /// Verifies the trust of an authentication challenge.
    ///
    /// - Parameters:
    ///   - trust: The trust, with the certificates that the server has sent.
    ///   - host: The name or address to verify.
    ///   - roots: The trusted roots.
    /// - Returns: The verified chain in DER, from the server's own certificate to the root.
    /// - Throws: ``SystemTrustError`` if the chain is not trusted.
    package static func verify(
        _ trust: SecTrust, host: String?, roots: TrustedRoots
    ) throws(SystemTrustError) -> [[UInt8]] {
        let anchors = roots.certificates.compactMap { SecCertificateCreateWithData(nil, data($0)) }
        // Setting no anchors, and then not only them, leaves the system's roots.
        for status in [
            SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, host as CFString?)),
            SecTrustSetAnchorCertificates(trust, anchors as CFArray),
            SecTrustSetAnchorCertificatesOnly(trust, !roots.includesSystem),
        ] where status != errSecSuccess {
            throw SystemTrustError(status: Int(status), text: "the roots cannot be set")
        }
        var error: CFError?
        guard SecTrustEvaluateWithError(trust, &error) else {
            throw SystemTrustError(
                status: error.map { CFErrorGetCode($0) } ?? 0,
                text: error.map { CFErrorCopyDescription($0) as String } ?? "no reason")
        }
        return sentCertificates(trust)
    }

    /// Returns the chain of a trust in DER, the server's own certificate first; verified only after ``verify``.
    package static func sentCertificates(_ trust: SecTrust) -> [[UInt8]] {
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        return chain.map { certificate in
            let data: CFData = SecCertificateCopyData(certificate)
            return Array(UnsafeBufferPointer(start: CFDataGetBytePtr(data), count: CFDataGetLength(data)))
        }
    }

    /// Returns bytes in the form of Core Foundation.
    package static func data(_ bytes: [UInt8]) -> CFData { CFDataCreate(nil, bytes, bytes.count) }
}
#endif
