// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import Testing

/// The transport's use of a client's network monitor.
@Suite(.timeLimit(.minutes(5)))
struct NetworkAwareTests {
    private let network = ScriptedNetwork(.disconnected)

    private func client(_ monitor: NetworkMonitor?) -> APIClient {
        var configuration = APIClient.Configuration()
        configuration.networkMonitor = monitor
        return APIClient(configuration: configuration)
    }

    private static func code(_ client: APIClient, _ url: String) async -> TransportError.Code? {
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, url).data() }
        guard case .urlError(let cause) = error else { return nil }
        return cause.code
    }

    @Test("Without a network, remote hosts fail at once and localhost is still reachable")
    func offline() async throws {
        let monitor = network.monitor()
        monitor.startMonitoring()
        let client = client(monitor)
        for url in ["http://example.com/", "http://198.51.100.1/", "https://[2001:db8::1]/"] {
            #expect(await Self.code(client, url) == .notConnectedToInternet)
        }
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let response = try await client.call(.get, server.url + "/get").status()
            #expect(response.statusCode == 200)
        }
    }

    @Test(
        "An unknown host fails with notConnectedToInternet if the monitor reports no network, otherwise cannotFindHost"
    )
    func unknownName() async throws {
        let unknown = "http://nosuch.invalid/"
        #expect(await Self.code(client(nil), unknown) == .cannotFindHost)
        #expect(await Self.code(client(network.monitor()), unknown) == .notConnectedToInternet)
        network.become(.connected(.wifi))
        #expect(await Self.code(client(network.monitor()), unknown) == .cannotFindHost)
    }
}
