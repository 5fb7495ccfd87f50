// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The URL of an upload resource: a resolved `Location`, and if it has the same origin as its base.
struct UploadLocation: Sendable, Equatable {
    let url: String
    let isSameOrigin: Bool

    /// Creates the URL; `nil` if the location is not a valid URL.
    init?(_ location: String, from base: String) {
        guard !location.isEmpty, let origin = WebOrigin(base) else { return nil }
        var reference = URLReference(location).resolved(against: URLReference(base))
        reference.fragment = nil
        // Normalized as in a request, so that an unescaped space or bar from the server is still usable.
        guard let (base, target) = try? BaseURL.absolute(reference.description) else { return nil }
        let to = "\(base.scheme)://\(base.authority)"
        url = to + target
        isSameOrigin = to == origin.description
    }
}
