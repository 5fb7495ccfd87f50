// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// Reads the server's cipher suite from its ServerHello, which is not encrypted (RFC 8446, section 4.1.3).
///
/// NIOSSL does not expose it. Any bytes are safe: without a ServerHello there is no cipher suite.
struct CipherSuiteReader {
    /// The result so far.
    enum Outcome: Equatable {
        case needsMore
        case chosen(UInt16)
        case none
    }

    /// The length of the fields before the length of the session identifier: type, length, version, random.
    private static let fixed = 1 + 3 + 2 + 32
    private static let maximumSessionIDLength = 32

    private var hello: [UInt8] = []
    private var header: [UInt8] = []
    private var left = 0
    private(set) var outcome = Outcome.needsMore

    /// Reads more bytes.
    ///
    /// - Parameter bytes: The received bytes, however they are split.
    mutating func read(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            guard outcome == .needsMore else { return }
            if left == 0 { readHeader(byte) } else { readHandshake(byte) }
        }
    }

    /// Reads the header of a record: type, version, length (RFC 8446, section 5.1).
    private mutating func readHeader(_ byte: UInt8) {
        header.append(byte)
        guard header[0] == 22 else { return outcome = .none }
        guard header.count == 5 else { return }
        left = Int(header[3]) << 8 | Int(header[4])
        header.removeAll(keepingCapacity: true)
        // An empty handshake record is forbidden.
        if left == 0 { outcome = .none }
    }

    private mutating func readHandshake(_ byte: UInt8) {
        left -= 1
        hello.append(byte)
        guard hello[0] == 2 else { return outcome = .none }
        guard hello.count > Self.fixed else { return }
        let session = Int(hello[Self.fixed])
        guard session <= Self.maximumSessionIDLength else { return outcome = .none }
        let index = Self.fixed + 1 + session
        guard hello.count == index + 2 else { return }
        outcome = .chosen(UInt16(hello[index]) << 8 | UInt16(hello[index + 1]))
    }

    /// Returns the name of a cipher suite in IANA's registry.
    ///
    /// - Parameter suite: Its number.
    /// - Returns: The name; the number in hexadecimal for a suite that BoringSSL does not offer.
    static func name(of suite: UInt16) -> String {
        names[suite] ?? "0x" + String(suite, radix: 16, uppercase: true)
    }

    /// The cipher suites that BoringSSL offers.
    private static let names: [UInt16: String] = [
        0x1301: "TLS_AES_128_GCM_SHA256",
        0x1302: "TLS_AES_256_GCM_SHA384",
        0x1303: "TLS_CHACHA20_POLY1305_SHA256",
        0xC02B: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        0xC02C: "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        0xC02F: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        0xC030: "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        0xCCA8: "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
        0xCCA9: "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        0xC009: "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
        0xC00A: "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
        0xC013: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
        0xC014: "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
        0xC027: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
        0x009C: "TLS_RSA_WITH_AES_128_GCM_SHA256",
        0x009D: "TLS_RSA_WITH_AES_256_GCM_SHA384",
        0x002F: "TLS_RSA_WITH_AES_128_CBC_SHA",
        0x0035: "TLS_RSA_WITH_AES_256_CBC_SHA",
    ]
}
