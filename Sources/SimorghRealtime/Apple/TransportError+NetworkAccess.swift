// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
package import SimorghNetwork

extension TransportError {
    /// Creates the error for a network that the system did not use, because a rule of the request forbids it.
    ///
    /// - Parameter rule: The rule.
    package init(forbiddenBy rule: NetworkAccessError.Rule) {
        let cause = NetworkAccessError(rule)
        self.init(
            .notConnectedToInternet, phase: .connect, message: cause.description, requestMayHaveBeenSent: false,
            underlying: cause)
    }
}
