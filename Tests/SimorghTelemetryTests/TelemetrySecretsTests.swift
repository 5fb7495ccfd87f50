// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Telemetry
import Foundation
import HTTPTypes
import InMemoryTracing
import MetricsTestKit
import SimorghCore
import SimorghTelemetry
import SimorghTesting
import Testing

/// Secrets are placed everywhere that a call can contain one, then searched for in all spans and metrics.
@Suite("Secrets in spans and metrics", .timeLimit(.minutes(10)))
struct TelemetrySecretsTests {
    /// A kind of call.
    enum Scenario: String, Sendable, CaseIterable {
        case answered, refused, broken, redirected, retried, streamed, thrown
    }

    private struct Thrown: Error, CustomStringConvertible { let description: String }

    /// Numbered secrets, so that a leaked one can be identified.
    private static let secrets = (10..<24).map { "pl4nted-\($0)-s3cret" }
    /// The client's credentials, as sent over the wire.
    private static let basic = Data("zal:\(secrets[7])".utf8).base64EncodedString()

    private let world = TelemetryFixture()

    private static func transport(_ scenario: Scenario) -> StubServer {
        let answer = StubResponse.json(#"{"access_token":"\#(secrets[0])"}"#).header(
            .setCookie, value: "sid=\(secrets[1]); Path=/")
        switch scenario {
        case .refused: return StubServer { _ in answer.header(.wwwAuthenticate, value: "Basic").with(.forbidden) }
        case .broken:
            let url = "https://zal:\(secrets[2])@api.test/?token=\(secrets[3])"
            return StubServer { _ in
                .failure(
                    TransportError(
                        .networkConnectionLost, phase: .head, message: "lost \(url) with \(secrets[5]), \(basic)"))
            }
        case .redirected:
            return StubServer(inOrder: [
                .status(.found).header(.location, value: "/there?code=\(secrets[3])&token=\(secrets[4])"), answer,
            ])
        case .retried: return StubServer(inOrder: [answer.with(.serviceUnavailable), answer])
        case .answered, .streamed, .thrown: return StubServer { _ in answer }
        }
    }

    @Test("No secret appears in a span or in a metric's dimensions", arguments: Scenario.allCases)
    func nowhere(scenario: Scenario) async throws {
        let secrets = Self.secrets
        let client = world.client(Self.transport(scenario)) {
            $0.retry = RetryPolicy(maximumRetries: 1)
            $0.headers = ["X-API-Key": secrets[5]]
            $0.authentication = .basic(username: "zal", password: secrets[7])
            guard scenario == .thrown else { return }
            $0.networkInterceptors = [
                Interceptor { _, _ in
                    throw Thrown(description: "no access_token=\(secrets[6]), \(secrets[5]), \(Self.basic)")
                }
            ]
        }
        let call = client.call(
            .put, "login;jsessionid=\(secrets[8])/x", query: ["api_key": secrets[9], "page": "2"],
            headers: ["Cookie": "a=\(secrets[10])", "X-Refresh-Token": secrets[11]],
            body: .text(#"{"password":"\#(secrets[12])"}"#, contentType: "application/json"))
        if scenario == .streamed {
            for try await _ in try await call.stream().chunks {}
        } else {
            _ = try? await call.data()
        }
        var (spans, metrics) = ("", "")
        dump(world.tracer.finishedSpans, to: &spans)
        dump(world.metrics.timers.map { ($0.label, $0.dimensions) }, to: &metrics)
        dump(world.metrics.recorders.map { ($0.label, $0.dimensions) }, to: &metrics)
        dump(world.metrics.meters.map { ($0.label, $0.dimensions) }, to: &metrics)
        for (name, text) in [("a span", spans), ("a metric", metrics)] {
            let found = (secrets + [Self.basic]).filter { text.contains($0) }
            #expect(found.isEmpty, "\(name) of \(scenario) tells \(found)")
        }
        // Proof that the search would find values that are present.
        #expect(spans.contains("[hidden]") && spans.contains("page=2"))
        // An error thrown before an attempt records no attempt.
        #expect(metrics.contains("api.test") == (scenario != .thrown))
        #expect(world.tracer.finishedSpans.count >= (scenario == .thrown ? 1 : 2))
    }

    @Test("Without redaction the spans contain the secrets, so the search would find them")
    func everywhere() async throws {
        let client = world.client(Self.transport(.broken), { $0.headers = ["X-API-Key": Self.secrets[5]] }) {
            $0.redaction = .none
        }
        _ = try? await client.call(.put, "x", query: ["api_key": Self.secrets[9]]).data()
        var spans = ""
        dump(world.tracer.finishedSpans, to: &spans)
        for index in [2, 3, 5, 9] { #expect(spans.contains(Self.secrets[index]), "\(index)") }
    }
}

extension StubResponse {
    /// Returns the same response with another status.
    fileprivate func with(_ status: HTTPResponse.Status) -> StubResponse {
        var response = self
        response.status = status
        return response
    }
}
#endif
