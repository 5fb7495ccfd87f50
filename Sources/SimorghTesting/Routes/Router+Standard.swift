// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Router {
    /// The routes that every server has.
    package static let standard = Router(
        Route.echoes + Route.bodies + Route.statuses
    )
}
