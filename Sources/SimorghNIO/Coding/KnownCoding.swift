// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// The content codings that the engine decodes.
package enum KnownCoding: Sendable, Hashable {
    case gzip
    case deflate
    case brotli
    case zstd

    /// Creates a coding.
    ///
    /// - Parameter name: The name in `Content-Encoding`, in lower case.
    init?(_ name: String) {
        switch name {
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        case "br" where Self.knowsBrotli: self = .brotli
        case "zstd" where Self.knowsZstd: self = .zstd
        default: return nil
        }
    }

    /// Creates a decompressor for the coding.
    func decompressor() throws(InvalidContentCodingError) -> any Decompressor {
        switch self {
        case .gzip: ZlibDecompressor(.gzip)
        case .deflate: ZlibDecompressor(.deflate)
        case .brotli: try Self.brotliDecompressor()
        case .zstd: try Self.zstdDecompressor()
        }
    }
}

#if Brotli && (os(Linux) || os(macOS))
extension KnownCoding {
    static let knowsBrotli = true

    private static func brotliDecompressor() throws(InvalidContentCodingError) -> any Decompressor {
        StreamingDecompressor(try BrotliStreamDecoder(), name: "brotli")
    }
}
#else
extension KnownCoding {
    static let knowsBrotli = false

    private static func brotliDecompressor() throws(InvalidContentCodingError) -> any Decompressor {
        throw InvalidContentCodingError(description: "brotli is not supported in this build")
    }
}
#endif

#if Zstd && (os(Linux) || os(macOS))
extension KnownCoding {
    static let knowsZstd = true

    private static func zstdDecompressor() throws(InvalidContentCodingError) -> any Decompressor {
        StreamingDecompressor(try ZstdStreamDecoder(), name: "zstd")
    }
}
#else
extension KnownCoding {
    static let knowsZstd = false

    private static func zstdDecompressor() throws(InvalidContentCodingError) -> any Decompressor {
        throw InvalidContentCodingError(description: "zstd is not supported in this build")
    }
}
#endif

extension KnownCoding {
    /// The value of `Accept-Encoding` that lists all of them.
    package static let accepted = "gzip, deflate" + (knowsBrotli ? ", br" : "") + (knowsZstd ? ", zstd" : "")

    /// The same as a header field, created once.
    static let acceptField = HTTPField(name: .acceptEncoding, value: accepted)
}
