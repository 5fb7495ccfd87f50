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
        case .brotli: try Self.decompressor(of: "brotli", Self.makeBrotli)
        case .zstd: try Self.decompressor(of: "zstd", Self.makeZstd)
        }
    }
}

extension KnownCoding {
    private typealias MakeDecompressor = @Sendable () throws(InvalidContentCodingError) -> any Decompressor

    static let knowsBrotli = makeBrotli != nil
    static let knowsZstd = makeZstd != nil

    /// Creates a decompressor for brotli; `nil` if this build does not contain it.
    #if Brotli && (os(Linux) || os(macOS))
    private static let makeBrotli: MakeDecompressor? = { () throws(InvalidContentCodingError) in
        StreamingDecompressor(try BrotliStreamDecoder(), name: "brotli")
    }
    #else
    private static let makeBrotli: MakeDecompressor? = nil
    #endif

    /// Creates a decompressor for zstd; `nil` if this build does not contain it.
    #if Zstd && (os(Linux) || os(macOS))
    private static let makeZstd: MakeDecompressor? = { () throws(InvalidContentCodingError) in
        StreamingDecompressor(try ZstdStreamDecoder(), name: "zstd")
    }
    #else
    private static let makeZstd: MakeDecompressor? = nil
    #endif

    private static func decompressor(
        of name: String, _ make: MakeDecompressor?
    ) throws(InvalidContentCodingError) -> any Decompressor {
        guard let make else {
            throw InvalidContentCodingError(description: "\(name) is not supported in this build")
        }
        return try make()
    }
}

extension KnownCoding {
    /// The value of `Accept-Encoding` that lists all of them.
    package static let accepted = "gzip, deflate" + (knowsBrotli ? ", br" : "") + (knowsZstd ? ", zstd" : "")

    /// The same as a header field, created once.
    static let acceptField = HTTPField(name: .acceptEncoding, value: accepted)
}
