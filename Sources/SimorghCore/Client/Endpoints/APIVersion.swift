// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The version of an API, as path segments before the path: `/v2/users`.
public enum APIVersion: Sendable, Hashable {
    /// `/v1`
    case v1
    /// `/v2`
    case v2
    /// A path prefix and a number: `custom(path: "api", version: 3)` is `/api/v3`.
    case custom(path: String?, version: Int)

    /// The segments, with a leading slash and no trailing slash.
    public var path: String {
        switch self {
        case .v1: return "/v1"
        case .v2: return "/v2"
        case .custom(let path, let version):
            let segments = (path ?? "").cut(at: "/", keepsEmpty: false).map(String.init) + ["v\(version)"]
            return "/" + segments.joined(separator: "/")
        }
    }
}
