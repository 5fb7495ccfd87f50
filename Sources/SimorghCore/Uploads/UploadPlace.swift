// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Where a `Location` leads from the URL that it came from, and whether that is on the same origin.
struct UploadPlace: Sendable, Equatable {
    let url: String
    let isSameOrigin: Bool

    /// `nil` for what leads to no URL.
    init?(_ location: String, from base: String) {
        guard let from = try? URLParts(base, schemes: BaseURL.httpSchemes) else { return nil }
        guard !location.isEmpty else { return nil }
        var text = URLReference(location).resolved(against: URLReference(base)).description
        text.removeSubrange((text.firstIndex(of: "#") ?? text.endIndex)...)
        guard let to = try? URLParts(text, schemes: BaseURL.httpSchemes) else { return nil }
        // Written as it will be asked for: a space or a bar that a server left bare must not make it unusable.
        guard let (base, target) = try? BaseURL.absolute(text) else { return nil }
        url = "\(base.scheme)://\(base.authority)\(target)"
        isSameOrigin = to.scheme == from.scheme && to.host == from.host && to.port == from.port
    }
}
