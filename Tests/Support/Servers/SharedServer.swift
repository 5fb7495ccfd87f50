// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghTesting

/// One server with the routes of httpbin for all suites of a process, for tests that only send requests to it.
///
/// A test that counts connections or requests, or adds routes, starts a server of its own: others use this one meanwhile.
package enum SharedServer {
    private static let start = Task {
        let server = try await MockServer.start()
        server.addHTTPBinRoutes()
        return server
    }

    /// The server, started when it is first asked for; it ends with the process.
    package static var value: MockServer {
        get async throws { try await start.value }
    }
}
