// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What is known of statuses (RFC 9110, section 15).
package enum CacheStatuses {
    /// Whether a response may be stored, and its freshness guessed, without a word of the server's.
    package static func isHeuristic(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// Whether we know what the status says on caching, as `must-understand` wants it.
    package static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...205, 300...303, 305, 307, 308, 400...417, 421, 422, 426, 428, 429, 431, 451, 500...505, 511: true
        default: false
        }
    }

    /// Whether a server that answers like this has failed, and an older response may do instead (RFC 5861, section 4).
    package static func isFailure(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }
}
