// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PEMCertificatesTests {
    @Test(
        "A text without a readable certificate is rejected",
        arguments: [
            "", "nothing", "-----BEGIN CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----\n%%%%\n-----END CERTIFICATE-----",
            "-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----",
        ])
    func rejected(text: String) {
        #expect(PEMCertificates.certificates(in: Array(text.utf8)) == nil)
    }

    /// A certificate's outline: an empty version, a serial number, four sequences and a key of three bytes.
    private static let outline: [UInt8] = [
        0x30, 0x11, 0x30, 0x0F, 0x02, 0x01, 0x07, 0x30, 0x00, 0x30, 0x00, 0x30, 0x00, 0x30, 0x00, 0x30, 0x01, 0x2A,
        0x00,
    ]

    @Test("The public key of a certificate is its seventh element, with tag and length")
    func publicKey() {
        #expect(DERReader.publicKeyInfo(of: Self.outline) == [0x30, 0x01, 0x2A])
        let text = "before\n-----BEGIN CERTIFICATE-----\n\(Base64.text(Self.outline))\n-----END CERTIFICATE-----\nafter"
        #expect(PEMCertificates.certificates(in: Array((text + "\n" + text).utf8)) == [Self.outline, Self.outline])
        #expect(PEMCertificates.certificates(in: Array((text + "\n-----BEGIN CERTIFICATE-----").utf8)) == nil)
    }

    @Test("Damaged certificates are read without leaving their bytes")
    func damaged() {
        var numbers = SeededNumbers(7)
        for length in 0..<Self.outline.count {
            #expect(DERReader.publicKeyInfo(of: Array(Self.outline.prefix(min(length, 17)))) == nil)
        }
        for _ in 0..<2000 {
            var bytes = Self.outline
            for _ in 0...Int.random(in: 0..<3, using: &numbers) {
                bytes[Int.random(in: 0..<bytes.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            }
            if let key = DERReader.publicKeyInfo(of: bytes) { #expect(key.count <= bytes.count) }
        }
    }
}
