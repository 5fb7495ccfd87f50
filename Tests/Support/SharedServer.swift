// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghTesting

/// One loopback server for all suites of a process, in the clear and over TLS, for tests that only ask it.
///
/// A test that counts connections or requests, or adds routes, starts a server of its own: others use this one meanwhile.
package enum SharedServer {
    private static let start = Task {
        var configuration = LoopbackServer.Configuration()
        configuration.tls = .trusted
        return try await LoopbackServer.start(configuration)
    }

    /// The server, started when it is first asked for; it ends with the process.
    package static var value: LoopbackServer {
        get async throws { try await start.value }
    }
}
