// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

extension SessionTrust {
    /// Judges the chain of a server for the other hosts that its certificate names and that have other options.
    ///
    /// A session for several hosts may use the connection for them as well (HTTP/2, RFC 9113, section 9.1.1), without
    /// another challenge: pins of one host would not hold over a connection that was opened for another one.
    ///
    /// - Parameters:
    ///   - options: The options of the session, with rules.
    ///   - host: The host for which the chain is trusted.
    ///   - chain: The certificates in DER, the server's own first.
    /// - Throws: The error for a certificate with a name for which the chain is not trusted.
    static func judgeOtherNames(
        _ options: TLSOptions, host: String, chain: [[UInt8]]
    ) throws(TransportError) {
        let own = try? options.resolved(for: host)
        for name in otherNames(options, of: chain.first ?? []) where name != host {
            let other = try? options.resolved(for: name)
            guard let own, let other, own.trust == other.trust, own.additionalRoots == other.additionalRoots,
                own.evaluation == other.evaluation, own.identity == other.identity
            else { throw refusal(of: host, for: name, because: "other trust applies to it", reason: .refused) }
            do throws(TransportError) {
                try other.checkPins(of: name, chain: chain)
            } catch {
                throw refusal(of: host, for: name, because: error.message, reason: .notPinned)
            }
            do throws(TransportError) {
                try other.evaluate(name, chain: chain)
            } catch {
                throw refusal(of: host, for: name, because: error.message, reason: .refused)
            }
        }
    }

    private static func refusal(
        of host: String, for name: String, because text: String, reason: TLSError.Reason
    ) -> TransportError {
        TransportError(
            .serverCertificateUntrusted, phase: .tls,
            message: """
                the certificate of \(host) is for \(name) as well, and a background session may use the connection for both: \
                \(text); use different sessions for them
                """,
            requestMayHaveBeenSent: false, underlying: TLSError(reason))
    }

    /// Returns the names of a certificate: for a wildcard, an example, and the hosts of the options that it covers.
    private static func otherNames(_ options: TLSOptions, of certificate: [UInt8]) -> Set<String> {
        let known =
            (options.rules.map(\.host) + options.pins.map(\.host)
            + options.rules.flatMap { $0.options.pins.map(\.host) })
            .map { $0.lowercased() }.filter { !$0.contains("*") }
        var names: Set<String> = []
        for name in CertificateNames.names(of: certificate).map({ $0.lowercased() }) {
            guard name.hasPrefix("*.") else {
                names.insert(name)
                continue
            }
            names.insert("any" + name.dropFirst())
            if let pattern = HostPattern(name) { names.formUnion(known.filter(pattern.matches)) }
        }
        return names
    }
}

/// The host names of a certificate.
package enum CertificateNames {
    /// `subjectAltName`, 2.5.29.17 (RFC 5280, section 4.2.1.6).
    private static let alternativeName: [UInt8] = [0x55, 0x1D, 0x11]
    /// The tags of the kinds of names; 0x82 is a DNS name.
    private static let kinds: [UInt8] = [0x82, 0xA0, 0x81, 0xA3, 0xA4, 0xA5, 0x86, 0x87, 0x88]

    /// Returns the DNS names of a certificate.
    ///
    /// - Parameter certificate: The certificate in DER.
    /// - Returns: The names, wildcards among them; none if the certificate has no such names, or cannot be read.
    package static func names(of certificate: [UInt8]) -> [String] {
        var outer = DERReader(certificate[...])
        guard var whole = outer.enter(0x30), var content = whole.enter(0x30) else { return [] }
        // The version, the serial number, the signature algorithm, the issuer, the validity, the subject, the key, and the
        // unique identifiers.
        for tag: UInt8 in [0xA0, 0x02, 0x30, 0x30, 0x30, 0x30, 0x30, 0x81, 0x82] { _ = content.enter(tag) }
        guard var extensions = content.enter(0xA3), var list = extensions.enter(0x30) else { return [] }
        while var item = list.enter(0x30) {
            guard let kind = item.enter(0x06), Array(kind.rest) == alternativeName else { continue }
            _ = item.enter(0x01)
            guard var value = item.enter(0x04), var names = value.enter(0x30) else { return [] }
            return Self.names(in: &names)
        }
        return []
    }

    private static func names(in list: inout DERReader) -> [String] {
        var names: [String] = []
        while !list.rest.isEmpty {
            guard let tag = list.rest.first, kinds.contains(tag), let value = list.enter(tag) else { return names }
            if tag == kinds[0] { names.append(String(decoding: value.rest, as: UTF8.self)) }
        }
        return names
    }
}
