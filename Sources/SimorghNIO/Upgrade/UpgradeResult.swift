// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// The server's response to an upgrade request.
package enum UpgradeResult<Value: Sendable>: Sendable {
    /// The server switched protocols: the result of `takeOver`, and the head of the response.
    case upgraded(Value, TransportResponse)
    /// The server refused: its response, with the received part of the body up to the limit.
    case refused(TransportResponse)
}
