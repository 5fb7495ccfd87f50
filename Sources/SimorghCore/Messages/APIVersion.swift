// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The version of an API, as segments of their own before the path: `/v2/users`.
public enum APIVersion: Sendable, Hashable {
    /// The number in a version's segment.
    public enum NumericVersion: Sendable, Hashable {
        /// `v1`
        case v1
        /// `v2`
        case v2
        /// `v` and the number.
        case custom(version: Int)

        /// The segment, without a slash.
        var segment: String {
            switch self {
            case .v1: "v1"
            case .v2: "v2"
            case .custom(let version): "v\(version)"
            }
        }
    }

    /// `/v1`
    case v1
    /// `/v2`
    case v2
    /// A path before the number: `custom(path: "api", version: .custom(version: 3))` is `/api/v3`.
    case custom(path: String?, version: NumericVersion)

    /// The segments, always with one slash before them and none after.
    public var path: String {
        switch self {
        case .v1: return "/v1"
        case .v2: return "/v2"
        case .custom(let path, let version):
            let segments = (path ?? "").cut(at: "/", keepsEmpty: false).map(String.init) + [version.segment]
            return "/" + segments.joined(separator: "/")
        }
    }
}
