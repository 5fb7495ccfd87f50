// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghURLSession
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct ChallengeDecisionTests {
    private static let certificate = "NSURLAuthenticationMethodClientCertificate"
    private static let server = "NSURLAuthenticationMethodServerTrust"

    private static func trust(_ change: (inout TLSOptions) -> Void = { _ in }) throws -> SessionTrust {
        var options = TLSOptions()
        change(&options)
        return try SessionTrust(reading: options, for: "a.example")
    }

    @Test(
        "The pipeline answers the server's challenges for HTTP authentication",
        arguments: ["Default", "HTTPBasic", "HTTPDigest", "HTMLForm", "NTLM", "Negotiate", "Unknown"])
    func http(method: String) {
        let method = "NSURLAuthenticationMethod\(method)"
        #expect(ChallengeDecision(method: method, isProxy: false, trust: SessionTrust()) == .rejectProtectionSpace)
        #expect(ChallengeDecision(method: method, isProxy: true, trust: SessionTrust()) == .performDefaultHandling)
    }

    @Test("The system judges servers by itself unless the options name roots, pins or an evaluation")
    func serverTrust() throws {
        #expect(
            ChallengeDecision(method: Self.server, isProxy: false, trust: SessionTrust()) == .performDefaultHandling)
        let plain = try Self.trust { $0.maximumVersion = .tls12 }
        #expect(ChallengeDecision(method: Self.server, isProxy: false, trust: plain) == .performDefaultHandling)
        let pin = "sha256/" + String(repeating: "A", count: 43) + "="
        for trust in [
            try Self.trust { $0.trust = .only([]) }, try Self.trust { $0.evaluation = .afterVerification { _ in } },
            try Self.trust { $0.pins = [TLSPins(host: "*", keys: [pin], needsBackup: false)] },
        ] {
            #expect(ChallengeDecision(method: Self.server, isProxy: false, trust: trust) == .verifyServer)
            #expect(ChallengeDecision(method: Self.server, isProxy: true, trust: trust) == .performDefaultHandling)
        }
    }

    @Test("A client certificate is sent to the server that asks for one, and never to a proxy")
    func identity() throws {
        let trust = try Self.trust { $0.identity = TLSIdentity(pkcs12: .data(Data([1])), passphrase: "a") }
        #expect(trust.identity?.archive == [1])
        #expect(ChallengeDecision(method: Self.certificate, isProxy: false, trust: trust) == .presentIdentity)
        #expect(ChallengeDecision(method: Self.certificate, isProxy: true, trust: trust) == .performDefaultHandling)
        #expect(
            ChallengeDecision(method: Self.certificate, isProxy: false, trust: SessionTrust())
                == .performDefaultHandling)
    }

    @Test("The user's delegate is asked first, and its default handling leaves the decision to the transport")
    func usersDelegate() {
        for method in [Self.server, Self.certificate, "NSURLAuthenticationMethodNTLM"] {
            #expect(ChallengeDecision.order(of: method) == [.session, .task])
        }
        #expect(ChallengeDecision.order(of: "NSURLAuthenticationMethodHTTPBasic") == [.task])
        for method in [Self.server, Self.certificate, "NSURLAuthenticationMethodHTTPBasic"] {
            #expect(!ChallengeDecision.isFinal(.performDefaultHandling, method: method))
        }
        for disposition in [
            URLSession.AuthChallengeDisposition.useCredential, .cancelAuthenticationChallenge, .rejectProtectionSpace,
        ] {
            #expect(ChallengeDecision.isFinal(disposition, method: Self.server))
        }
    }

    @Test("A challenge that the user's delegate has cancelled is an error of its own, and not a cancellation")
    func cancelledByDelegate() throws {
        func failure(
            _ method: String, isProxy: Bool = false,
            _ disposition: URLSession.AuthChallengeDisposition = .cancelAuthenticationChallenge
        ) -> TransportError? {
            ChallengeDecision.failure(of: disposition, method: method, isProxy: isProxy, host: "a.example")
        }
        let server = try #require(failure(Self.server))
        #expect(server.code == .serverCertificateUntrusted && server.tlsFailure == .refused)
        #expect(server.message.contains("a.example") && !server.requestMayHaveBeenSent)
        #expect(failure(Self.certificate)?.code == .clientCertificateRequired)
        #expect(failure("NSURLAuthenticationMethodHTTPBasic")?.requestMayHaveBeenSent == true)
        let proxy = try #require(failure(Self.server, isProxy: true))
        #expect(proxy.code == .cannotConnectToHost && proxy.tlsFailure == nil && !proxy.requestMayHaveBeenSent)
        for disposition in [
            URLSession.AuthChallengeDisposition.useCredential, .performDefaultHandling, .rejectProtectionSpace,
        ] {
            #expect(failure(Self.server, disposition) == nil)
        }
    }

    @Test("The reasons of the system for a missing network name the rule that forbids it")
    func accessRules() {
        let rules = (-1...3).map { NetworkAccessError.Rule(unavailableReason: $0) }
        #expect(rules == [nil, .cellular, .expensive, .constrained, nil])
    }
}
