// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
package import SimorghRealtime
package import SimorghSupport

/// The TLS options of a session, with the contents of the files that they name.
package struct SessionTrust: Sendable {
    package let options: TLSOptions
    /// The host; `nil` with default options.
    package let host: String?
    /// The trusted roots.
    package let roots: TrustedRoots
    /// The client's identity; `nil` without one.
    package let identity: ClientIdentity?
    /// The options of a session for several hosts, if they treat hosts differently; `nil` for a session for one host.
    var sharedOptions: TLSOptions?

    /// Creates the trust of default options.
    package init() {
        (options, host, roots, identity) = (TLSOptions(), nil, TrustedRoots(), nil)
    }

    /// Reads the files that the options name; blocks.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - host: The host.
    /// - Throws: `TLSOptionsError` if a file or a certificate cannot be read.
    package init(reading options: TLSOptions, for host: String?) throws(TLSOptionsError) {
        self.options = options
        // The dot that marks an absolute name is not part of the name in a certificate.
        self.host = host.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
        roots = try options.readRoots()
        identity = try options.identity.map { identity throws(TLSOptionsError) in try ClientIdentity(reading: identity)
        }
    }

    /// True if the system's own verification is not enough.
    package var judgesServer: Bool {
        !roots.certificates.isEmpty || !roots.includesSystem || !options.pins.isEmpty || options.evaluation != nil
            || sharedOptions != nil
    }

    /// Judges the certificates of a server; blocks while the system verifies and the user's evaluation runs.
    ///
    /// - Parameters:
    ///   - name: The host of the challenge.
    ///   - verified: Verifies the certificates, and returns the chain in DER, the server's own certificate first.
    ///   - sent: Returns the certificates that the server has sent.
    /// - Throws: The error for a server that is not trusted.
    package func judge(
        _ name: String, verified: () throws(SystemTrustError) -> [[UInt8]], sent: () -> [[UInt8]]
    ) throws(TransportError) {
        let host = host ?? name
        let chain: [[UInt8]]
        if options.evaluation?.replacesVerification == true {
            chain = sent()
        } else {
            do {
                chain = try verified()
            } catch {
                throw error.transportError(for: host)
            }
        }
        guard !chain.isEmpty else {
            throw SystemTrustError(status: 0, text: "the server sent no certificate").transportError(for: host)
        }
        try options.checkPins(of: host, chain: chain)
        try options.evaluate(host, chain: chain)
        if let sharedOptions { try Self.judgeOtherNames(sharedOptions, host: host, chain: chain) }
    }
}
