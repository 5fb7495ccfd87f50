// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What is known of an exchange that failed; apart from its error, which is handed about and copied.
package final class AttemptFacts: Sendable {
    package let timings: ExchangeTimings
    package let connection: ConnectionInfo?

    package init(_ timings: ExchangeTimings, _ connection: ConnectionInfo?) {
        self.timings = timings
        self.connection = connection
    }
}
