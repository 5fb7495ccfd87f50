// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import Testing

/// What the engine makes of what a client's monitor knows.
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

    @Test("Where a client's monitor knows of no network a host is not asked, and this machine is")
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

    @Test("A name that is not found is told by what the monitor says, and with none as what it is")
    func unknownName() async throws {
        let unknown = "http://nosuch.invalid/"
        #expect(await Self.code(client(nil), unknown) == .cannotFindHost)
        #expect(await Self.code(client(network.monitor()), unknown) == .notConnectedToInternet)
        network.become(.connected(.wifi))
        #expect(await Self.code(client(network.monitor()), unknown) == .cannotFindHost)
    }
}
