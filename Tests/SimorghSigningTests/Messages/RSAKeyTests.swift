// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import CryptoExtras
import SimorghSigning
import SimorghSupport
import Testing

@Suite("MessageSigningKey: RSA", .timeLimit(.minutes(5)))
struct RSAKeyTests {
    @Test("An RSA key is for RSASSA-PKCS1-v1_5 unless the program or the key says otherwise")
    func algorithms() throws {
        #expect(try MessageSigningKey(pem: RFC9421Keys.rsa).algorithm == .rsaPKCS1SHA256)
        #expect(try MessageSigningKey(pem: RFC9421Keys.rsa, algorithm: .rsaPSSSHA512).algorithm == .rsaPSSSHA512)
        #expect(try MessageSigningKey(pem: RFC9421Keys.rsaPSS).algorithm == .rsaPSSSHA512)
        #expect(try MessageVerificationKey(pem: RFC9421Keys.rsaPublic).algorithm == .rsaPKCS1SHA256)
        for (pem, algorithm) in [
            (RFC9421Keys.rsaPSS, .rsaPKCS1SHA256), (RFC9421Keys.rsa, .ed25519), (RFC9421Keys.ed25519, .rsaPSSSHA512),
            (RFC9421Keys.p256, .hmacSHA256),
        ] as [(String, MessageSignatureAlgorithm)] {
            let error = #expect(throws: MessageSignatureError.self) {
                try MessageSigningKey(pem: pem, algorithm: algorithm)
            }
            #expect(error?.reason == .algorithmMismatch, "\(algorithm)")
        }
    }

    @Test("A signature is valid for its key, its text and its padding only")
    func paddings() throws {
        let other = try MessageSigningKey(pem: RFC9421Keys.rsaPSS).verificationKey
        for algorithm in [MessageSignatureAlgorithm.rsaPKCS1SHA256, .rsaPSSSHA512] {
            let key = try MessageSigningKey(pem: RFC9421Keys.rsa, algorithm: algorithm)
            let signature = try key.signature(of: "text")
            #expect(signature.count == 256)
            #expect(key.verificationKey.isValid(signature, of: "text"))
            #expect(!key.verificationKey.isValid(signature, of: "other"))
            #expect(!key.verificationKey.isValid(signature.dropLast(), of: "text"))
            #expect(!key.verificationKey.isValid(Data(), of: "text"))
            #expect(!other.isValid(signature, of: "text"))
            let wrong: MessageSignatureAlgorithm = algorithm == .rsaPSSSHA512 ? .rsaPKCS1SHA256 : .rsaPSSSHA512
            let same = try MessageVerificationKey(pem: RFC9421Keys.rsaPublic, algorithm: wrong)
            #expect(!same.isValid(signature, of: "text"))
        }
    }

    /// Returns a public key of a size in PEM; it has no private key, and the cryptography library may refuse it.
    private static func publicKey(bits: Int) -> String {
        let modulus: [UInt8] = [0, 0x80] + [UInt8](repeating: 0xFF, count: bits / 8 - 1)
        let key = element(0x30, element(0x02, modulus) + element(0x02, [1, 0, 1]))
        // rsaEncryption, without parameters (RFC 8017, appendix A.1).
        let algorithm: [UInt8] = [
            0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
        ]
        let text = Data(element(0x30, algorithm + element(0x03, [0] + key))).base64EncodedString()
        let lines = stride(from: 0, to: text.utf8.count, by: 64).map { String(text.dropFirst($0).prefix(64)) }
        return (["-----BEGIN PUBLIC KEY-----"] + lines + ["-----END PUBLIC KEY-----"]).joined(separator: "\n")
    }

    /// Returns an element of DER.
    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            switch count {
            case 0..<0x80: [UInt8(count)]
            case 0x80..<0x100: [0x81, UInt8(count)]
            default: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
            }
        return [tag] + length + content
    }

    @Test("Keys of 2048 to 8192 bits are accepted", arguments: [(2048, true), (8192, true), (8200, false)])
    func sizes(bits: Int, isAccepted: Bool) throws {
        let pem = Self.publicKey(bits: bits)
        if isAccepted {
            #expect(try MessageVerificationKey(pem: pem).algorithm == .rsaPKCS1SHA256)
        } else {
            #expect(throws: MessageSignatureError.self) { try MessageVerificationKey(pem: pem) }
        }
    }

    @Test("Smaller keys are refused, as PEM and as DER")
    func small() throws {
        let key = try _RSA.Signing.PrivateKey(unsafeKeySize: _RSA.Signing.KeySize(bitCount: 1024))
        #expect(throws: MessageSignatureError.self) { try MessageSigningKey(pem: key.pemRepresentation) }
        #expect(throws: MessageSignatureError.self) { try MessageVerificationKey(pem: key.publicKey.pemRepresentation) }
        #expect(throws: MessageSignatureError.self) {
            try MessageSigningKey(.rsaPKCS1SHA256, bytes: key.derRepresentation)
        }
    }

    @Test("Each form of a key is the same key")
    func forms() throws {
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: RFC9421Keys.rsa)
        let signature = try MessageSigningKey(pem: RFC9421Keys.rsa).signature(of: "text")
        for other in [
            try MessageSigningKey(pem: key.pkcs8PEMRepresentation),
            try MessageSigningKey(.rsaPKCS1SHA256, bytes: key.derRepresentation),
            try MessageSigningKey(.rsaPKCS1SHA256, bytes: key.pkcs8DERRepresentation),
        ] {
            #expect(try other.signature(of: "text") == signature)
        }
        for other in [
            try MessageVerificationKey(pem: key.publicKey.pemRepresentation),
            try MessageVerificationKey(pem: key.publicKey.pkcs1PEMRepresentation),
            try MessageVerificationKey(.rsaPKCS1SHA256, bytes: key.publicKey.derRepresentation),
        ] {
            #expect(other.isValid(signature, of: "text"))
        }
    }

    @Test(
        "A public key for RSASSA-PSS verifies only that, and is refused if its parameters may name another hash",
        arguments: [[], [0x30, 0x00]] as [[UInt8]])
    func restricted(parameters: [UInt8]) throws {
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: RFC9421Keys.rsa).publicKey
        let identifier: [UInt8] = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 10]
        let algorithm = Self.element(0x30, identifier + parameters)
        let bits = Self.element(0x03, [0] + Array(key.pkcs1DERRepresentation))
        let der = Data(Self.element(0x30, algorithm + bits))
        let pem = "-----BEGIN PUBLIC KEY-----\n\(der.base64EncodedString())\n-----END PUBLIC KEY-----"
        #expect(throws: MessageSignatureError.self) { try MessageVerificationKey(.rsaPKCS1SHA256, bytes: der) }
        let expected: MessageSignatureAlgorithm? = parameters.isEmpty ? .rsaPSSSHA512 : nil
        let fromText = try? MessageVerificationKey(pem: pem).algorithm
        let fromBytes = try? MessageVerificationKey(.rsaPSSSHA512, bytes: der).algorithm
        #expect(fromText == expected && fromBytes == expected)
    }

    @Test("A truncated key for RSASSA-PSS is refused")
    func truncated() throws {
        let lines = RFC9421Keys.rsaPSS.split(separator: "\n")
        let bytes = try #require(Data(base64Encoded: lines.dropFirst().dropLast().joined()))
        for count in [0, 1, 2, 4, 10, 17, 20, 40, bytes.count - 1] {
            let text = bytes.prefix(count).base64EncodedString()
            #expect(throws: MessageSignatureError.self) {
                try MessageSigningKey(pem: "-----BEGIN PRIVATE KEY-----\n\(text)\n-----END PRIVATE KEY-----")
            }
        }
    }
}
