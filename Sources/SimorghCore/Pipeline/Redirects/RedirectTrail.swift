// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The URLs that led to a request by redirects, for the steps below: cookies ask which sites they were.
package enum RedirectTrail: UserInfo.Key {
    package static let defaultValue: [String] = []
}
