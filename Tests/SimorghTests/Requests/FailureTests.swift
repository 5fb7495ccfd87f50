// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import TestSupport
import Testing

/// The ways in which a call can fail, and the errors that the caller receives.
@Suite(.timeLimit(.minutes(10)))
struct FailureTests {
    struct Expected: Sendable, CustomTestStringConvertible {
        var path: String
        var code: TransportError.Code
        var phase: TransportError.Phase
        var testDescription: String { path }
    }

    @Test(
        "NET2: a server fault is a typed error with the phase, the URL and the method",
        arguments: [
            Expected(path: "fault/close-before-head", code: .networkConnectionLost, phase: .head),
            Expected(path: "fault/close-inside-head", code: .networkConnectionLost, phase: .head),
            Expected(path: "fault/close-after-head", code: .networkConnectionLost, phase: .body),
            Expected(path: "fault/truncate/100", code: .networkConnectionLost, phase: .body),
            Expected(path: "fault/truncate-chunked", code: .networkConnectionLost, phase: .body),
            Expected(path: "fault/reset", code: .networkConnectionLost, phase: .head),
            Expected(path: "fault/garbage", code: .badServerResponse, phase: .head),
            Expected(path: "fault/bad-gzip", code: .cannotDecodeContentData, phase: .body),
            Expected(path: "fault/gzip-bomb/64", code: .cannotDecodeContentData, phase: .body),
        ])
    func faults(expected: Expected) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let client = APIClient(baseURL: server.url)
            let error = await #expect(throws: NetworkError.self) {
                try await client.call(.post, expected.path).data()
            }
            guard case .urlError(let cause) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(cause.code == expected.code)
            #expect(cause.phase == expected.phase)
            #expect(cause.url == "\(server.url)/\(expected.path)")
            #expect(cause.method == "POST")
            #expect(cause.attempts == 1)
        }
    }

    @Test("A header flood is refused with a typed error and without unbounded memory")
    func flood() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let client = APIClient(baseURL: server.url)
            let error = await #expect(throws: NetworkError.self) {
                try await client.call(.get, "fault/header-flood").data()
            }
            guard case .urlError(let cause) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect([.dataLengthExceedsMaximum, .cannotParseResponse].contains(cause.code))
            #expect(cause.phase == .head)
        }
    }

    @Test("NET2: a refused port and an unknown host fail in the connect phase and are retryable")
    func unreachable() async throws {
        try await UnreachablePort.with { unreachable in
            let refusal = (unreachable.url, TransportError.Code.cannotConnectToHost)
            for (url, code) in [refusal, ("http://nobody.invalid", .cannotFindHost)] {
                let error = await #expect(throws: NetworkError.self) {
                    try await APIClient(baseURL: url).call(.get, "x").data()
                }
                guard case .urlError(let cause) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(cause.code == code)
                #expect(cause.phase == .connect)
                #expect(!cause.requestMayHaveBeenSent)
                #expect(error?.isRetryable == true)
            }
        }
    }

    @Test(
        "A timeout error names its phase and limit",
        arguments: [
            ("fault/stall-head", TransportError.Phase.head), ("fault/stall-body", .body), ("delay/5", .total),
        ])
    func timeouts(path: String, phase: TransportError.Phase) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let client = APIClient(baseURL: server.url).with {
                switch phase {
                case .head: $0.timeouts.head = .milliseconds(50)
                case .body: $0.timeouts.idle = .milliseconds(50)
                default: $0.timeouts.total = .milliseconds(50)
                }
            }
            let error = await #expect(throws: NetworkError.self) { try await client.call(.get, path).data() }
            guard case .urlError(let cause) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(cause.code == .timedOut)
            #expect(cause.limit == .milliseconds(50))
            if phase != .total { #expect(cause.phase == phase) }
            // On a busy machine the total timeout may pass before the request has a connection; that then waits for the
            // next request.
            guard !server.requests.isEmpty else { return }
            try await server.waitForOpenConnections(atMost: 0)
        }
    }

    #if TestCertificates
    @Test(
        "An untrusted certificate fails in the TLS phase, and the error states the reason",
        arguments: [
            (CertificateFlaw.expired, [TransportError.Code.serverCertificateHasBadDate]),
            (.notYetValid, [.serverCertificateNotYetValid]),
            (.wrongHost, [.serverCertificateUntrusted]),
            (.selfSigned, [.serverCertificateHasUnknownRoot, .serverCertificateUntrusted]),
            (.unknownAuthority, [.serverCertificateHasUnknownRoot, .serverCertificateUntrusted]),
        ])
    func certificates(flaw: CertificateFlaw, codes: [TransportError.Code]) async throws {
        let (configuration, pem) = try MockServer.Configuration.secure(flaw)
        try await MockServer.with(configuration) { server in
            server.addHTTPBinRoutes()
            let client = APIClient(baseURL: server.url).with { $0.tls.additionalRoots = [pem] }
            let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "get").data() }
            guard case .urlError(let cause) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(cause.phase == .tls)
            #expect(codes.contains(cause.code), "\(cause)")
            #expect(!cause.requestMayHaveBeenSent)
        }
    }
    #endif

    @Test("additionalRoots trusts a certificate authority for one client only")
    func trust() async throws {
        let (configuration, pem) = try MockServer.Configuration.secure()
        try await MockServer.with(configuration) { server in
            server.addHTTPBinRoutes()
            let client = APIClient(baseURL: server.url)
            let response = try await client.with { $0.tls.additionalRoots = [pem] }.call(.get, "get").response()
                .response
            #expect(response.statusCode == 200)
            #expect(response.connection?.tlsVersion?.contains("1.3") == true)
            #expect(response.timings.tls != nil)
            let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "get").data() }
            guard case .urlError(let cause) = error, cause.phase == .tls else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("SMA15: Content-Length equals the number of body bytes")
    func contentLength() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let client = APIClient(baseURL: server.url)
            for text in ["", "a", "é", String(repeating: "x", count: 100_000)] {
                let json = try await client.call(.post, "post", body: .text(text)).json()
                #expect(json["data"] == .string(text))
            }
            #expect(
                server.requests.map { $0.head.headerFields[values: .contentLength] } == [
                    ["0"], ["1"], ["2"], ["100000"],
                ])
        }
    }
}
