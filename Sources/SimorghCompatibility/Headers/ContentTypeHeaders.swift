// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The values of `Content-Type`: the media type of the body.
public enum ContentTypeHeaders: Sendable, Hashable {
    /// `application/json`
    case applicationJson
    /// `application/json; charset=utf-8`
    case applicationJsonUTF8
    /// `application/x-www-form-urlencoded`
    case urlEncoded
    /// `multipart/form-data`
    case formData
    /// Any other value.
    case custom(String)

    /// The header's name.
    public static let name = "content-type"

    /// The header's value.
    public var value: String {
        switch self {
        case .applicationJson: "application/json"
        case .applicationJsonUTF8: "application/json; charset=utf-8"
        case .urlEncoded: "application/x-www-form-urlencoded"
        case .formData: "multipart/form-data"
        case .custom(let value): value
        }
    }
}
