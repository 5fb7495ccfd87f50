// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The parameters negotiated in the TLS handshake of a connection.
public struct TLSInfo: Sendable, CustomStringConvertible {
    /// The version, such as `TLSv1.3`.
    public let version: String
    /// The cipher suite by its name in IANA's registry, such as `TLS_AES_128_GCM_SHA256`; `nil` if it is unknown.
    public let cipherSuite: String?
    /// The name or address that was verified.
    public let serverName: String
    /// The protocol that ALPN selected; `nil` if the server does not support ALPN.
    public let negotiatedProtocol: String?
    /// A Boolean value that indicates whether the client was configured with a certificate.
    public let hasClientIdentity: Bool
    private let chain: @Sendable () -> [(certificate: [UInt8], key: [UInt8])]

    package init(
        version: String, cipherSuite: String?, serverName: String, negotiatedProtocol: String?,
        hasClientIdentity: Bool,
        chain: @escaping @Sendable () -> [(certificate: [UInt8], key: [UInt8])]
    ) {
        self.version = version
        self.cipherSuite = cipherSuite
        self.serverName = serverName
        self.negotiatedProtocol = negotiatedProtocol
        self.hasClientIdentity = hasClientIdentity
        self.chain = chain
    }

    /// The verified chain in DER, the server's own certificate first; computed at each access.
    public var certificates: [Data] { chain().map { Data($0.certificate) } }

    /// The pin of each certificate of the chain, in the form that ``TLSPins`` takes; computed at each access.
    public var pins: [String] { chain().map { TLSPins.pin(of: $0.key) } }

    /// One line: the version, the cipher suite, the name, and the protocol.
    public var description: String {
        "\(version)\(cipherSuite.map { " \($0)" } ?? "") with \(serverName)\(negotiatedProtocol.map { ", \($0)" } ?? "")"
            + (hasClientIdentity ? ", with a client's certificate" : "")
    }
}
