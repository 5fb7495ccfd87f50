// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A member of a scope that carries one request, and tells which.
package protocol RequestCarrier: CancellationScope.Member {
    /// The request that it carries.
    var carried: TransportRequest { get }
}

extension CancellationScope {
    /// The members inside now that carry a request, in no order.
    package var carriers: [any RequestCarrier] { members.compactMap { $0 as? any RequestCarrier } }
}
