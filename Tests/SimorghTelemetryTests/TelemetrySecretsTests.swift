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

/// Secrets are planted wherever a call can hold one, and looked for in all that its spans and its metrics tell.
@Suite("Planted secrets in spans and metrics", .timeLimit(.minutes(10)))
struct TelemetrySecretsTests {
    /// What a call may be like.
    enum Scenario: String, Sendable, CaseIterable {
        case answered, refused, broken, redirected, retried, streamed, thrown
    }

    private struct Thrown: Error, CustomStringConvertible { let description: String }

    /// Each has a number, so that the one that shows up is known.
    private static let secrets = (10..<24).map { "pl4nted-\($0)-s3cret" }
    /// What the client signs in with, as it goes over the wire.
    private static let basic = Data("zal:\(secrets[7])".utf8).base64EncodedString()

    private let world = TelemetryWorld()

    private static func transport(_ scenario: Scenario) -> StubServer {
        let answer = StubResponse.json(#"{"access_token":"\#(secrets[0])"}"#).header(
            .setCookie, "sid=\(secrets[1]); Path=/")
        switch scenario {
        case .refused: return StubServer { _ in answer.header(.wwwAuthenticate, "Basic").with(.forbidden) }
        case .broken:
            let url = "https://zal:\(secrets[2])@api.test/?token=\(secrets[3])"
            return StubServer { _ in
                .failure(
                    TransportError(
                        .networkConnectionLost, phase: .head, message: "lost \(url) with \(secrets[5]), \(basic)"))
            }
        case .redirected:
            return StubServer(inOrder: [
                .status(.found).header(.location, "/there?code=\(secrets[3])&token=\(secrets[4])"), answer,
            ])
        case .retried: return StubServer(inOrder: [answer.with(.serviceUnavailable), answer])
        case .answered, .streamed, .thrown: return StubServer { _ in answer }
        }
    }

    @Test("No secret is in a span or a label of a metric", arguments: Scenario.allCases)
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
        // The looking itself finds what is there.
        #expect(spans.contains("[hidden]") && spans.contains("page=2"))
        // What is thrown before an attempt is none.
        #expect(metrics.contains("api.test") == (scenario != .thrown))
        #expect(world.tracer.finishedSpans.count >= (scenario == .thrown ? 1 : 2))
    }

    @Test("With the rules off the spans tell all of it: the secrets were there to be found")
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
    /// The same answer under another status.
    fileprivate func with(_ status: HTTPResponse.Status) -> StubResponse {
        var response = self
        response.status = status
        return response
    }
}
#endif
