// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Where a `Location` leads from the URL that it came from, and whether that is on the same origin.
struct UploadPlace: Sendable, Equatable {
    let url: String
    let isSameOrigin: Bool

    /// `nil` for what leads to no URL.
    init?(_ location: String, from base: String) {
        guard !location.isEmpty, let origin = WebOrigin(base) else { return nil }
        var place = URLReference(location).resolved(against: URLReference(base))
        place.fragment = nil
        // Written as it will be asked for: a space or a bar that a server left bare must not make it unusable.
        guard let (base, target) = try? BaseURL.absolute(place.description) else { return nil }
        let to = "\(base.scheme)://\(base.authority)"
        url = to + target
        isSameOrigin = to == origin.description
    }
}
