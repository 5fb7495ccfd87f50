// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import Testing

@Suite("Reference: the network, headers, errors and retries", .timeLimit(.minutes(5)))
struct NetworkSnippets {
    /// The switch statement of the page.
    @Sendable private static func word(_ connectivity: Connectivity) -> String {
        switch connectivity {
        case .disconnected: "showOfflineBanner"
        case .connected(.wifi): "WiFi"
        case .connected(.cellular): "Cellular"
        case .connected(.vpn): "VPN active"
        case .connected(.ethernet): "Ethernet"
        case .connected(.other): "Other"
        }
    }

    @Test("NetworkMonitor reports the status and its changes, as a publisher and as a sequence")
    func monitor() async throws {
        let network = ScriptedNetwork(.connected(.wifi))
        let monitor = network.monitor(shouldDetectVpnAutomatically: true)
        var cancellables = Set<AnyCancellable>()
        let shown = Shown()
        let streamed = Shown()
        monitor.startMonitoring()
        monitor.status
            .receive(on: DispatchQueue.main)
            .sink { connectivity in shown(Self.word(connectivity)) }
            .store(in: &cancellables)
        let handleChange = { @Sendable (connectivity: Connectivity) async in streamed(Self.word(connectivity)) }
        let task = Task {
            for await connectivity in monitor.statusStream() {
                await handleChange(connectivity)
            }
        }
        try await shown.wait(for: 1)
        try await streamed.wait(for: 1)
        network.become(.connected(.vpn))
        try await shown.wait(for: 2)
        try await streamed.wait(for: 2)
        network.become(.disconnected)
        try await shown.wait(for: 3)
        try await streamed.wait(for: 3)
        #expect(shown.all == ["WiFi", "VPN active", "showOfflineBanner"])
        #expect(streamed.all == shown.all)
        task.cancel()
        // As on the page; observes this machine's own network.
        let own = NetworkMonitor(shouldDetectVpnAutomatically: true)
        own.startMonitoring()
        own.stopMonitoring()
    }

    @Test("VPNChecker detects a VPN")
    func checker() {
        let checker = VPNChecker()
        if checker.isVPNActive() {
            // IKEv2, WireGuard, OpenVPN, IPsec — all detected
        }
        #expect(ScriptedNetwork(.connected(.vpn)).checker().isVPNActive())
        #expect(!ScriptedNetwork(.connected(.wifi)).checker().isVPNActive())
    }

    @Test("HeaderHandler builds headers fluently, and is empty afterwards")
    func headers() async throws {
        let headers = HeaderHandler.shared
            .addAuthorizationHeader(type: .bearer(token: "your-token"))
            .addContentTypeHeader(type: .applicationJson)
            .addAcceptHeaders(type: .applicationJson)
            .addAcceptLanguageHeaders(type: .en)
            .addAcceptEncodingHeaders(type: .gzip)
            .addCustomHeader(name: "X-API-Key", value: "your-api-key")
            .build()
        struct AuthenticatedEndpoint: NetworkRouter {
            let own: [String: String]
            var baseURLString: String { "https://api.example.com" }
            var path: String { "/protected" }
            var method: RequestMethod? { .get }
            // A constant outside the type on the page, which a nested type cannot access.
            var headers: [String: String]? { own }
        }
        let (client, transport) = Reference.client { _ in .status(.noContent) }
        _ = try await client.call(AuthenticatedEndpoint(own: headers)).data()
        let request = transport.requests[0]
        #expect(request.header(.authorization) == "Bearer your-token")
        #expect(request.header(.contentType) == "application/json")
        #expect(request.header(.accept) == "application/json")
        #expect(request.header(.acceptLanguage)?.hasPrefix("en") == true)
        #expect(request.header(.acceptEncoding) == "gzip")
        let handler = HeaderHandler().addCustomHeader(name: "X-A", value: "1")
        #expect(handler.build().count == 1)
        #expect(handler.build().isEmpty)
    }

    /// The switch statement of the page, with a `default`.
    ///
    /// The compiler requires the `default`, because two of the cases have conditions.
    private static func handled(_ request: () async throws -> Void) async throws -> String {
        do {
            try await request()
            return "answered"
        } catch let error as NetworkError {
            switch error {
            case .urlError(let e) where e.code == .notConnectedToInternet:
                return "showOfflineMessage"
            case .customError(let statusCode, _) where statusCode == 401:
                return "handleUnauthorized"
            case .decodingError(let e):
                return "Decoding failed: \(e)"
            case .responseError(let e):
                return "Response error: \(e)"
            case .unknown:
                return "Unknown error"
            default:
                return "other"
            }
        }
    }

    @Test("Errors are distinguished, with their status and body")
    func errors() async throws {
        let offline = TransportError(.notConnectedToInternet, phase: .connect, message: "no network")
        let answers: [(StubResponse, String)] = [
            (.failure(offline), "showOfflineMessage"),
            (.json(["why": "x"], status: .unauthorized), "handleUnauthorized"),
            (.text("no"), "Decoding failed"), (.status(.badGateway), "other"),
        ]
        for (answer, word) in answers {
            let (client, _) = Reference.client { _ in answer }
            let said = try await Self.handled {
                let _: User = try await client.get("https://api.example.com/me")
            }
            #expect(said.hasPrefix(word))
        }
        let (client, _) = Reference.client { _ in .text("why", status: .teapot) }
        let error = try #require(
            await #expect(throws: NetworkError.self) { try await client.call(.get, "https://api.example.com/").data() })
        #expect(!error.localizedDescription.isEmpty)
        #expect(error.statusCode == 418)
        #expect(error.responseData == Data("why".utf8))
    }
}

extension HTTPResponse.Status {
    fileprivate static let teapot = HTTPResponse.Status(code: 418)
}
