// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The caching properties of status codes (RFC 9110, section 15).
package enum CacheStatuses {
    /// Returns true if a response may be stored without explicit directives, with a heuristic lifetime.
    package static func isHeuristic(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// Returns true if this cache implements the caching rules of the status code, as `must-understand` requires.
    package static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...205, 300...303, 305, 307, 308, 400...417, 421, 422, 426, 428, 429, 431, 451, 500...505, 511: true
        default: false
        }
    }

    /// Returns true for a server failure after which a stale response may be used (RFC 5861, section 4).
    package static func isFailure(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }
}
