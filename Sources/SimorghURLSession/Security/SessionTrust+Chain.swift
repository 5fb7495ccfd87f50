// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
package import SimorghSupport

extension SessionTrust {
    /// Judges the certificates of a server that another connection than a session's has received; blocks.
    ///
    /// - Parameters:
    ///   - chain: The certificates in DER that the server has sent, its own first.
    ///   - host: The name or address to verify.
    ///   - options: The TLS options for the host.
    ///   - verify: Verifies the certificates for a host with the trusted roots, and returns the verified chain.
    /// - Returns: The error for a server that is not trusted, or for files that cannot be read; `nil` if it is trusted.
    package static func refusal(
        of chain: [Data], host: String, options: TLSOptions,
        verify: ([[UInt8]], _ host: String, TrustedRoots) throws(SystemTrustError) -> [[UInt8]]
    ) -> TransportError? {
        let trust: SessionTrust
        do throws(TLSOptionsError) {
            trust = try SessionTrust(reading: options, for: host)
        } catch {
            return TransportError(error)
        }
        let sent = chain.map { [UInt8]($0) }
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
