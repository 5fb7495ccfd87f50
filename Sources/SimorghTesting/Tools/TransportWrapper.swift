// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// A transport that sends requests over another one, whose resources are those of its clients.
package protocol TransportWrapper: Transport {
    /// The other transport; `nil` outside its scope.
    var wrapped: (any Transport)? { get }
}
