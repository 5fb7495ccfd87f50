// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The values of `Accept-Encoding`: the content codings that the client can decode.
public enum AcceptEncodingHeaders: Sendable, Hashable {
    /// `gzip`
    case gzip
    /// `compress`
    case compress
    /// `deflate`
    case deflate
    /// `br`
    case br
    /// `identity`
    case identity
    /// `*`
    case all
    /// Any other value.
    case custom(String)

    /// The header's name.
    public static let name = "accept-encoding"

    /// The header's value.
    public var value: String {
        switch self {
        case .gzip: "gzip"
        case .compress: "compress"
        case .deflate: "deflate"
        case .br: "br"
        case .identity: "identity"
        case .all: "*"
        case .custom(let value): value
        }
    }
}
