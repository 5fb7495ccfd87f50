// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import CryptoExtras
import SimorghSupport

/// The padding of an RSA signature, and its hash.
enum RSAPadding: Sendable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case pkcs1
    /// RSASSA-PSS with SHA-512.
    case pss

    /// The algorithm of RFC 9421.
    var algorithm: MessageSignatureAlgorithm {
        switch self {
        case .pkcs1: .rsaPKCS1SHA256
        case .pss: .rsaPSSSHA512
        }
    }

    /// Selects the padding for a key.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm that the program expects.
    ///   - isOnlyForPSS: True if the key names RSASSA-PSS.
    /// - Throws: An error if the key must not be used with the algorithm.
    init(_ algorithm: MessageSignatureAlgorithm?, isOnlyForPSS: Bool) throws(MessageSignatureError) {
        guard isOnlyForPSS else {
            self = algorithm == .rsaPSSSHA512 ? .pss : .pkcs1
            return
        }
        self = .pss
        try MessageKeyRules.check(algorithm, of: .rsaPSSSHA512)
    }
}

/// RSA keys of 2048 to 8192 bits.
enum RSAKeys {
    /// A larger key would need seconds for each signature.
    private static let maximumBits = 8192
    /// The object identifier 1.2.840.113549.1.1.10 (RSASSA-PSS) without parameters, which would name another hash.
    private static let pssIdentifier: [UInt8] = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 10]

    struct KeySizeError: Error {}

    static func privateKey(der: Data) throws -> _RSA.Signing.PrivateKey {
        let key = try _RSA.Signing.PrivateKey(derRepresentation: der)
        guard key.keySizeInBits <= maximumBits else { throw KeySizeError() }
        return key
    }

    struct PaddingError: Error {}

    static func publicKey(der: Data, for padding: RSAPadding) throws -> _RSA.Signing.PublicKey {
        // The cryptography library removes the identifier, and the key would then verify other signatures.
        if let identifier = pssAlgorithm(of: der) {
            guard padding == .pss, identifier == pssIdentifier else { throw PaddingError() }
        }
        let key = try _RSA.Signing.PublicKey(derRepresentation: der)
        guard key.keySizeInBits <= maximumBits else { throw KeySizeError() }
        return key
    }

    static func privateKey(pem text: String) -> (key: _RSA.Signing.PrivateKey, isOnlyForPSS: Bool)? {
        guard text.utf8.count <= PEMKey.maximumTextBytes else { return nil }
        // The cryptography library does not know the identifier.
        if let der = pssKey(in: text, isPrivate: true) {
            return (try? privateKey(der: der)).map { (key: $0, isOnlyForPSS: true) }
        }
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: text), key.keySizeInBits <= maximumBits else {
            return nil
        }
        return (key, false)
    }

    static func publicKey(pem text: String) -> (key: _RSA.Signing.PublicKey, isOnlyForPSS: Bool)? {
        guard text.utf8.count <= PEMKey.maximumTextBytes else { return nil }
        if let der = pssKey(in: text, isPrivate: false) {
            return (try? publicKey(der: der, for: .pss)).map { (key: $0, isOnlyForPSS: true) }
        }
        // With parameters it is a key for another hash.
        guard PEMKey.der(text, isPrivate: false).flatMap(pssAlgorithm) == nil else { return nil }
        guard let key = try? _RSA.Signing.PublicKey(pemRepresentation: text), key.keySizeInBits <= maximumBits else {
            return nil
        }
        return (key, false)
    }

    /// Returns the identifier of the algorithm of a public key, with its parameters, if it is that of RSASSA-PSS; `nil`
    /// for other keys.
    private static func pssAlgorithm(of der: Data) -> [UInt8]? {
        guard let whole = element(0x30, in: Array(der)[...]), let algorithm = element(0x30, in: whole.contents),
            algorithm.contents.starts(with: pssIdentifier)
        else { return nil }
        return Array(algorithm.contents)
    }

    /// Returns the PKCS #1 form of a key whose identifier is that of RSASSA-PSS (RFC 4055); `nil` for other keys.
    private static func pssKey(in text: String, isPrivate: Bool) -> Data? {
        guard let der = PEMKey.der(text, isPrivate: isPrivate), let whole = element(0x30, in: Array(der)[...]),
            whole.rest.isEmpty
        else { return nil }
        var contents = whole.contents
        if isPrivate {
            guard let version = element(0x02, in: contents) else { return nil }
            contents = version.rest
        }
        guard let algorithm = element(0x30, in: contents), Array(algorithm.contents) == pssIdentifier,
            let key = element(isPrivate ? 0x04 : 0x03, in: algorithm.rest)
        else { return nil }
        // A bit string begins with the number of unused bits.
        return Data(isPrivate ? key.contents : key.contents.dropFirst())
    }

    /// Returns the contents of the first element of DER, and the bytes after it; `nil` if it has another tag or is
    /// longer than 64 KiB.
    private static func element(
        _ tag: UInt8, in bytes: ArraySlice<UInt8>
    ) -> (contents: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        guard bytes.first == tag, let first = bytes.dropFirst().first else { return nil }
        var rest = bytes.dropFirst(2)
        var count = Int(first)
        if first >= 0x80 {
            let digits = rest.prefix(Int(first & 0x7F))
            guard digits.count == Int(first & 0x7F), (1...2).contains(digits.count) else { return nil }
            count = digits.reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(digits.count)
        }
        guard rest.count >= count else { return nil }
        return (rest.prefix(count), rest.dropFirst(count))
    }
}
