// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The hash that a file must have.
public struct DownloadDigest: Sendable, Hashable, Codable, CustomStringConvertible {
    /// A way to hash.
    public enum Algorithm: String, Sendable, Hashable, Codable, CaseIterable {
        /// SHA-256.
        case sha256 = "sha-256"
        /// SHA-384, which no server tells but a caller may know.
        case sha384 = "sha-384"
        /// SHA-512.
        case sha512 = "sha-512"
        /// MD5, which tells damage and no malice.
        case md5

        /// How many bytes the hash has.
        var length: Int {
            switch self {
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            case .md5: 16
            }
        }
    }

    /// How it was made.
    public let algorithm: Algorithm
    /// The hash itself.
    public let bytes: [UInt8]

    /// Creates a digest.
    ///
    /// - Parameters:
    ///   - algorithm: How it was made.
    ///   - bytes: The hash; `nil` is given for another length than the algorithm's.
    public init?(_ algorithm: Algorithm, bytes: [UInt8]) {
        guard bytes.count == algorithm.length else { return nil }
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// Reads a digest as tools print it.
    ///
    /// - Parameter text: The algorithm, `=` or `:`, and the hash in hexadecimal: `sha-256=9f86d0…`.
    public init?(_ text: String) {
        guard let mark = text.utf8.firstIndex(where: { $0 == 0x3D || $0 == 0x3A }) else { return nil }
        let name = text[..<mark].lowercased()
        let known = Algorithm.allCases.first {
            $0.rawValue == name || $0.rawValue.filter { $0 != "-" } == name
        }
        guard let known, let bytes = Self.hex(text[text.index(after: mark)...].utf8) else { return nil }
        self.init(known, bytes: bytes)
    }

    /// The algorithm and the hash in hexadecimal: `sha-256=9f86d0…`.
    public var description: String { "\(algorithm.rawValue)=\(Hex.encoded(bytes))" }

    private static func hex(_ text: Substring.UTF8View) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text {
            guard let value = PercentEncoding.hexValue(character) else { return nil }
            if let first = high.take() { bytes.append(first << 4 | value) } else { high = value }
        }
        return bytes
    }

    /// The digests of a field such as `Repr-Digest` (RFC 9530): a dictionary of byte sequences, `sha-256=:…:`.
    ///
    /// What is unknown, broken or known to be weak is left out.
    package static func parse(_ field: String) -> [DownloadDigest] {
        field.split(separator: ",").compactMap { member in
            let text = member.drop { $0 == " " || $0 == "\t" }
            guard let mark = text.firstIndex(of: "="), let algorithm = Algorithm(rawValue: String(text[..<mark])),
                algorithm != .md5
            else { return nil }
            // A parameter may stand behind the second colon.
            let value = text[text.index(after: mark)...].split(separator: ":", omittingEmptySubsequences: false)
            guard value.count == 3, value[0].isEmpty, let bytes = Data(base64Encoded: String(value[1])) else {
                return nil
            }
            return DownloadDigest(algorithm, bytes: Array(bytes))
        }
    }
}
