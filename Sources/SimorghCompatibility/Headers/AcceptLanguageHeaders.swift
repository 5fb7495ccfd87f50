// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The values of `Accept-Language`: the languages that the client prefers.
public enum AcceptLanguageHeaders: Sendable, Hashable {
    /// `en`
    case en
    /// `fa`
    case fa
    /// `*`
    case all
    /// Any other value.
    case custom(String)

    /// The header's name.
    public static let name = "accept-language"

    /// The header's value.
    public var value: String {
        switch self {
        case .en: "en"
        case .fa: "fa"
        case .all: "*"
        case .custom(let value): value
        }
    }
}
