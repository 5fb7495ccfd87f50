// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// What a server said to a request for another protocol.
package enum UpgradeAnswer<Value: Sendable>: Sendable {
    /// It speaks the other protocol from here on: what was made of the connection, and the answer's head.
    case upgraded(Value, TransportResponse)
    /// It stays with HTTP: its answer, with as much of the body as came and was wanted.
    case refused(TransportResponse)
}
