// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A member of a cancellation scope that performs one request.
package protocol RequestMember: CancellationScope.Member {
    /// The request that it performs.
    var carried: TransportRequest { get }
}

extension CancellationScope {
    /// The members of the scope that perform a request, in no particular order.
    package var requestMembers: [any RequestMember] { members.compactMap { $0 as? any RequestMember } }
}
