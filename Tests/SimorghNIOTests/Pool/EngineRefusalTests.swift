// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import Testing

@Suite("The engine: requests that it refuses", .timeLimit(.minutes(5)))
struct EngineRefusalTests {
    private static func request(
        authority: String = "api.example.com", change: (inout TransportOptions) -> Void
    ) -> TransportRequest {
        var request = TransportRequest(
            head: HTTPRequest(method: .post, scheme: "https", authority: authority, path: "/"))
        change(&request.options)
        return request
    }

    @Test("HTTP/3 is refused by name")
    func http3() async throws {
        let request = Self.request { $0.httpVersion = .http3 }
        let error = await #expect(throws: TransportError.self) { try await NIOTransport.shared.send(request) }
        #expect(error?.code == .unsupportedURL)
        #expect(error?.message.contains("http3 needs URLSessionTransport") == true)
        #expect(error?.requestMayHaveBeenSent == false)
    }

    @Test("A request that may not use the current network fails before it is sent")
    func access() async throws {
        let network = ScriptedNetwork(.connected(.cellular))
        let request = Self.request {
            $0.access.allowsExpensive = false
            $0.monitor = network.monitor()
        }
        let error = await #expect(throws: TransportError.self) { try await NIOTransport.shared.send(request) }
        #expect(error?.code == .notConnectedToInternet)
        #expect(error?.phase == .connect)
        #expect(error?.requestMayHaveBeenSent == false)
        #expect((error?.underlying as? NetworkAccessError)?.rule == .expensive)
    }

    @Test("A client's access applies to each call, and a nearby host is always allowed")
    func client() async throws {
        let network = ScriptedNetwork(.connected(.cellular))
        try await MockServer.with { server in
            server.on("/x", response: .text("done"))
            var configuration = APIClient.Configuration()
            configuration.networkMonitor = network.monitor()
            configuration.access.allowsCellular = false
            let client = APIClient(configuration: configuration, transport: NIOTransport.shared)
            try await client.call(.get, "\(server.url)/x").void()
            let error = await #expect(throws: NetworkError.self) {
                try await client.call(.get, "https://api.example.com/x").void()
            }
            #expect(error?.transportCode == .notConnectedToInternet)
        }
    }
}

extension NetworkError {
    fileprivate var transportCode: TransportError.Code? {
        guard case .urlError(let error) = self else { return nil }
        return error.code
    }
}
