// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Simorgh
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("TLS: certificate verification", .timeLimit(.minutes(10)))
struct TLSVerificationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let port: String
        let code: TransportError.Code
        let reason: TLSError.Reason
        var testDescription: String { port }
    }

    @Test(
        "Each invalid certificate is refused with its reason before a request is sent",
        arguments: [
            Case(port: "expired", code: .serverCertificateHasBadDate, reason: .expired),
            Case(port: "oldmiddle", code: .serverCertificateHasBadDate, reason: .expired),
            Case(port: "notyet", code: .serverCertificateNotYetValid, reason: .notYetValid),
            Case(port: "wronghost", code: .serverCertificateUntrusted, reason: .wrongHost),
            Case(port: "missing", code: .serverCertificateHasUnknownRoot, reason: .missingIntermediate),
            Case(port: "usage", code: .serverCertificateUntrusted, reason: .wrongUsage),
            Case(port: "weak", code: .serverCertificateUntrusted, reason: .weakKey),
            Case(port: "sha1", code: .serverCertificateUntrusted, reason: .weakSignature),
            Case(port: "sha1middle", code: .serverCertificateUntrusted, reason: .weakSignature),
            // BoringSSL reports no certificate for a missing policy, and NIOSSL would crash the process.
            Case(port: "demanded", code: .serverCertificateUntrusted, reason: .other),
            Case(port: "unmet", code: .serverCertificateUntrusted, reason: .other),
            Case(port: "othermet", code: .serverCertificateUntrusted, reason: .other),
            Case(port: "anyunmet", code: .serverCertificateUntrusted, reason: .other),
            Case(port: "unrenamed", code: .serverCertificateUntrusted, reason: .other),
            Case(port: "names", code: .serverCertificateUntrusted, reason: .other),
            Case(port: "stranger", code: .serverCertificateHasUnknownRoot, reason: .unknownIssuer),
            Case(port: "selfsigned", code: .serverCertificateHasUnknownRoot, reason: .selfSigned),
            Case(port: "tls11", code: .secureConnectionFailed, reason: .noCommonVersion),
            Case(port: "garbage", code: .secureConnectionFailed, reason: .brokenByPeer),
            Case(port: "silent", code: .secureConnectionFailed, reason: .brokenByPeer),
            Case(port: "client12", code: .secureConnectionFailed, reason: .brokenByPeer),
            Case(port: "client13", code: .clientCertificateRequired, reason: .clientCertificateRequired),
        ], ["localhost", "127.0.0.1"])
    func bad(_ example: Case, host: String) async throws {
        let witness = try await TLSWitness.ask()
        let error = try #require(await witness.client().transportError(witness.url(example.port, host: host)))
        #expect(error.code == example.code, "\(error)")
        #expect(error.tlsFailure == example.reason, "\(error)")
        #expect(error.phase == .tls)
        #expect(!error.requestMayHaveBeenSent)
    }

    @Test("A valid chain is trusted by its root, given as text or file, alone or in addition to the system's roots")
    func roots() async throws {
        let witness = try await TLSWitness.ask()
        let url = try witness.url("good")
        let text = try witness.text("root.pem")
        for trust in [TLSTrust.only([.text(text)]), .only([witness.file("root.pem")]), .systemAnd([.text(text)])] {
            let handshake: TLSWitness.Handshake = try await witness.client { $0.trust = trust }.get(url)
            #expect(handshake.version == "TLSv1.3")
            #expect(handshake.sni == "localhost")
        }
        let system = witness.client { $0.trust = .system }
        #expect(await system.transportError(url)?.tlsFailure == .unknownIssuer)
        let added = try witness.client {
            $0.trust = .only([witness.file("strangerroot.pem")])
            $0.additionalRoots = [try witness.text("root.pem")]
        }
        _ = try await added.bytes(url)
        _ = try await added.bytes(witness.url("stranger"))
    }

    @Test(
        "A chain that satisfies its required policies, or does not require them yet, is trusted",
        arguments: ["met", "metlater", "needless", "anymet", "renamed"])
    func policies(port: String) async throws {
        let witness = try await TLSWitness.ask()
        _ = try await witness.client().bytes(witness.url(port))
    }

    @Test("A root self-signed with SHA-1 is trusted, because its own signature proves nothing")
    func oldRoot() async throws {
        let witness = try await TLSWitness.ask()
        let client = witness.client { $0.trust = .only([witness.file("sha1root.pem")]) }
        _ = try await client.bytes(witness.url("good"))
        // Its signatures on other certificates are checked.
        #expect(try await client.transportError(witness.url("sha1middle"))?.tlsFailure == .weakSignature)
    }

    @Test("An unknown key type, in a root or without verification, does not crash the process")
    func oddKey() async throws {
        let witness = try await TLSWitness.ask()
        let client = witness.client { $0.trust = .only([witness.file("oddroot.pem")]) }
        #expect(try await client.transportError(witness.url("odd"))?.tlsFailure == .unknownIssuer)
        let blind = witness.client { $0.evaluation = .unsafeInsteadOfVerification { _ in } }
        let response = try await blind.call(.get, witness.url("odd")).response().response
        let facts = try #require(response.connection?.tls)
        #expect(facts.certificates.count == 2)
        #expect(try facts.pins == [witness.pin("odd"), witness.pin("oddroot")])
    }

    @Test("minimumVersion and maximumVersion are enforced")
    func versions() async throws {
        let witness = try await TLSWitness.ask()
        let new = witness.client { $0.minimumVersion = .tls13 }
        #expect(try await new.transportError(witness.url("tls12"))?.tlsFailure == .noCommonVersion)
        let old = witness.client { $0.maximumVersion = .tls12 }
        #expect(try await old.transportError(witness.url("tls13"))?.tlsFailure == .noCommonVersion)
        let response = try await old.call(.get, witness.url("good")).response().response
        #expect(response.connection?.tlsVersion == "TLSv1.2")
        #expect(response.connection?.tls?.cipherSuite?.hasPrefix("TLS_ECDHE_") == true)
        let none = witness.client {
            $0.minimumVersion = .tls13
            $0.maximumVersion = .tls12
        }
        #expect(try await none.transportError(witness.url("good"))?.underlying as? TLSOptionsError != nil)
    }

    @Test("serverName replaces the URL's host in SNI and in verification")
    func serverName() async throws {
        let witness = try await TLSWitness.ask()
        let url = try witness.url("named")
        #expect(try await witness.client().transportError(url)?.tlsFailure == .wrongHost)
        let named = witness.client { $0.serverName = "named.example" }
        let handshake: TLSWitness.Handshake = try await named.get(url)
        #expect(handshake.sni == "named.example")
        // An IP address is matched against the certificate, regardless of the socket's address.
        let address: TLSWitness.Handshake = try await witness.client { $0.serverName = "192.0.2.7" }.get(url)
        #expect(address.sni == nil)
        let other = witness.client { $0.serverName = "127.0.0.1" }
        #expect(await other.transportError(url)?.tlsFailure == .wrongHost)
    }

    @Test("TLS rules by host replace the client's options, and a call's own options take precedence")
    func rules() async throws {
        let witness = try await TLSWitness.ask()
        let (url, other) = (try witness.url("good"), try witness.url("good", host: "127.0.0.1"))
        let client = witness.client {
            var rule = TLSOptions()
            rule.trust = .only([witness.file("strangerroot.pem")])
            $0.rules = [TLSRule(host: "localhost", options: rule)]
        }
        #expect(await client.transportError(url)?.tlsFailure == .unknownIssuer)
        _ = try await client.bytes(other)
        var own = TLSOptions()
        own.trust = .only([witness.file("root.pem")])
        _ = try await client.call(.get, url).with { $0.tls = own }.data()
    }

    @Test("The response reports the negotiated TLS parameters")
    func facts() async throws {
        let witness = try await TLSWitness.ask()
        let answer = try await witness.client().call(.get, witness.url("good")).response()
        let handshake = try JSONDecoder().decode(TLSWitness.Handshake.self, from: answer.value)
        let facts = try #require(answer.response.connection?.tls)
        #expect(facts.version == "TLSv1.3")
        #expect(facts.cipherSuite == handshake.cipher)
        #expect(facts.serverName == "localhost")
        #expect(facts.negotiatedProtocol == "http/1.1")
        #expect(!facts.hasClientIdentity)
        #expect(facts.certificates.count == 3)
        #expect(try facts.pins == [witness.pin("good"), witness.pin("middle"), witness.pin("root")])
    }

    @Test("A custom evaluation after verification sees the verified chain and can only refuse it")
    func evaluation() async throws {
        struct No: Error {}
        let witness = try await TLSWitness.ask()
        let seen = Mutex<[TLSPeer]>([])
        let judge = TLSEvaluation.afterVerification { peer in seen.withLock { $0.append(peer) } }
        let client = witness.client { $0.evaluation = judge }
        _ = try await client.bytes(witness.url("good"))
        _ = try await client.bytes(witness.url("good"))
        #expect(seen.withLock { $0.map(\.host) } == ["localhost"])
        #expect(seen.withLock { $0.first?.certificates.count } == 3)
        // It is not called for an invalid chain.
        #expect(try await client.transportError(witness.url("expired"))?.tlsFailure == .expired)
        #expect(seen.withLock { $0.count } == 1)
        let refusing = witness.client { $0.evaluation = .afterVerification { _ in throw No() } }
        let error = try #require(await refusing.transportError(witness.url("good")))
        #expect(error.code == .serverCertificateUntrusted)
        #expect(error.tlsFailure == .refused)
        #expect((error.underlying as? TLSError)?.cause is No)
    }

    @Test("A slow custom evaluation does not delay cancellation, and is limited by the TLS timeout")
    func slowJudge() async throws {
        let witness = try await TLSWitness.ask()
        let url = try witness.url("good")
        let asked = Mutex(0)
        let permission = DispatchSemaphore(value: 0)
        let judge: @Sendable (TLSPeer) -> Void = { _ in
            asked.withLock { $0 += 1 }
            permission.wait()
        }
        let patient = witness.client { $0.evaluation = .afterVerification(judge) }
        let task = Task {
            do {
                _ = try await patient.bytes(url)
                return false
            } catch {
                return (error as? NetworkError)?.isCancelled == true
            }
        }
        try await eventually { asked.withLock { $0 } > 0 }
        task.cancel()
        #expect(await task.value)

        let hasty = witness.client { $0.evaluation = .afterVerification(judge) }
            .with { $0.timeouts.tls = .milliseconds(300) }
        let error = try #require(await hasty.transportError(url))
        #expect(error.code == .timedOut)
        #expect(error.phase == .tls)
        #expect(!error.requestMayHaveBeenSent)

        // Both evaluations succeed after their callers have gone; the next one succeeds in time.
        for _ in 0..<3 { permission.signal() }
        _ = try await witness.client { $0.evaluation = .afterVerification(judge) }.bytes(url)
    }

    @Test("A custom evaluation instead of verification decides alone whether to refuse")
    func unsafe() async throws {
        struct No: Error {}
        let witness = try await TLSWitness.ask()
        let client = witness.client {
            $0.evaluation = .unsafeInsteadOfVerification { peer in
                guard peer.host == "localhost", !peer.certificates.isEmpty else { throw No() }
            }
        }
        for port in ["selfsigned", "expired", "wronghost"] {
            _ = try await client.bytes(witness.url(port))
        }
        #expect(try await client.transportError(witness.url("good", host: "127.0.0.1"))?.tlsFailure == .refused)
    }
}
