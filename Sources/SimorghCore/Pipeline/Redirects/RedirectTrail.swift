// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The URLs whose redirects led to a request; the cookie step uses them to detect cross-site redirects.
package enum RedirectTrail: UserInfo.Key {
    package static let defaultValue: [String] = []
}
