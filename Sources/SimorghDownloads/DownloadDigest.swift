// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The expected hash of a file.
public struct DownloadDigest: Sendable, Hashable, Codable, CustomStringConvertible {
    /// A hash algorithm.
    public enum Algorithm: String, Sendable, Hashable, Codable, CaseIterable {
        /// SHA-256.
        case sha256 = "sha-256"
        /// SHA-384. Servers do not send it, but a caller may know it.
        case sha384 = "sha-384"
        /// SHA-512.
        case sha512 = "sha-512"
        /// MD5. It detects accidental damage but not tampering.
        case md5

        /// The length of the hash, in bytes.
        var length: Int {
            switch self {
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            case .md5: 16
            }
        }
    }

    /// The hash algorithm.
    public let algorithm: Algorithm
    /// The hash itself.
    public let bytes: [UInt8]

    /// Creates a digest.
    ///
    /// - Parameters:
    ///   - algorithm: The hash algorithm.
    ///   - bytes: The hash. If its length is not that of the algorithm, the initializer returns `nil`.
    public init?(_ algorithm: Algorithm, bytes: [UInt8]) {
        guard bytes.count == algorithm.length else { return nil }
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// Creates a digest from text as command-line tools print it.
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
}
