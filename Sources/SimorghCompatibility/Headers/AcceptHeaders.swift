// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The values of `Accept`: the media types that the client accepts.
public enum AcceptHeaders: Sendable, Hashable {
    /// `*/*`
    case all
    /// `application/json`
    case applicationJson
    /// `application/json; charset=utf-8`
    case applicationJsonUTF8
    /// `text/plain`
    case text
    /// `application/json, text/plain, */*`
    case combinedAll
    /// Any other value.
    case custom(String)

    /// The header's name.
    public static let name = "accept"

    /// The header's value.
    public var value: String {
        switch self {
        case .all: "*/*"
        case .applicationJson: "application/json"
        case .applicationJsonUTF8: "application/json; charset=utf-8"
        case .text: "text/plain"
        case .combinedAll: "application/json, text/plain, */*"
        case .custom(let value): value
        }
    }
}
