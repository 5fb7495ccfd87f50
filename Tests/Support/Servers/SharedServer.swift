// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghTesting

/// One server with the httpbin routes for all suites of a process, for tests that only send requests to it.
///
/// A test that counts connections or requests, or adds routes, starts its own server, since this one is shared.
package enum SharedServer {
    private static let start = Task {
        let server = try await MockServer.start()
        server.addHTTPBinRoutes()
        return server
    }

    /// The server, started on first use; it ends with the process.
    package static var value: MockServer {
        get async throws { try await start.value }
    }
}
