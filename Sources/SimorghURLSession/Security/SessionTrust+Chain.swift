// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
package import SimorghRealtime
package import SimorghSupport

extension SessionTrust {
    /// Verifies certificates in DER for a host with the trusted roots, and returns the verified chain; blocks.
    package typealias VerifyChain =
        @Sendable ([[UInt8]], _ host: String?, TrustedRoots) throws(SystemTrustError) -> [[UInt8]]

    /// Returns the judgement of the certificates that another connection than a session's has received.
    ///
    /// - Parameter verify: Verifies certificates.
    /// - Returns: The judgement; its error is for a server that is not trusted, or for files that cannot be read.
    package static func judgement(by verify: @escaping VerifyChain) -> NetworkConnectionPlan.Verify {
        { chain, host, options in refusal(of: chain, host: host, options: options, verify: verify) }
    }

    private static func refusal(
        of sent: [[UInt8]], host: String, options: TLSOptions, verify: VerifyChain
    ) -> TransportError? {
        let trust: SessionTrust
        do throws(TLSOptionsError) {
            trust = try SessionTrust(reading: options, for: host)
        } catch {
            return TransportError(error)
        }
        do throws(TransportError) {
            try trust.judge(
                host,
                verified: { () throws(SystemTrustError) in try verify(sent, trust.host ?? host, trust.roots) },
                sent: { sent })
            return nil
        } catch {
            return error
        }
    }
}
