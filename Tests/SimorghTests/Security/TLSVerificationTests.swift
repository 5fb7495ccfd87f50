// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Simorgh
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("TLS: whom to trust", .timeLimit(.minutes(10)))
struct TLSVerificationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let port: String
        let code: TransportError.Code
        let reason: TLSFailure.Reason
        var testDescription: String { port }
    }

    @Test(
        "Each bad certificate is refused with its reason, before anything is sent",
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
            // BoringSSL names no certificate where a policy is missing, and NIOSSL would end the process.
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

    @Test("A good chain is trusted by its root, given as text or as a file, alone or beside the system's")
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
        "A chain that has the policy which it demands, or demands none yet, is trusted",
        arguments: ["met", "metlater", "needless", "anymet", "renamed"])
    func policies(port: String) async throws {
        let witness = try await TLSWitness.ask()
        _ = try await witness.client().bytes(witness.url(port))
    }

    @Test("A root that signed itself with SHA-1 is trusted as any other, since its own signature proves nothing")
    func oldRoot() async throws {
        let witness = try await TLSWitness.ask()
        let client = witness.client { $0.trust = .only([witness.file("sha1root.pem")]) }
        _ = try await client.bytes(witness.url("good"))
        // What it signed is looked at all the same.
        #expect(try await client.transportError(witness.url("sha1middle"))?.tlsFailure == .weakSignature)
    }

    @Test("A key of a kind that is not known here, in a root or where nobody verifies, does not end the process")
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

    @Test("The oldest and the newest version are kept to")
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
        #expect(try await none.transportError(witness.url("good"))?.underlying as? InvalidTLSOptions != nil)
    }

    @Test("Another name is asked for and verified in place of the URL's")
    func serverName() async throws {
        let witness = try await TLSWitness.ask()
        let url = try witness.url("named")
        #expect(try await witness.client().transportError(url)?.tlsFailure == .wrongHost)
        let named = witness.client { $0.serverName = "named.example" }
        let handshake: TLSWitness.Handshake = try await named.get(url)
        #expect(handshake.sni == "named.example")
        // An address is looked for in the certificate, whatever address the socket has.
        let address: TLSWitness.Handshake = try await witness.client { $0.serverName = "192.0.2.7" }.get(url)
        #expect(address.sni == nil)
        let other = witness.client { $0.serverName = "127.0.0.1" }
        #expect(await other.transportError(url)?.tlsFailure == .wrongHost)
    }

    @Test("Rules by host take the place of the client's options, and a call's own come first")
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

    @Test("What the handshake agreed on is told with the response")
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

    @Test("A judge of the user's own sees the verified chain and can only refuse")
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
        // It is not asked about what does not hold.
        #expect(try await client.transportError(witness.url("expired"))?.tlsFailure == .expired)
        #expect(seen.withLock { $0.count } == 1)
        let refusing = witness.client { $0.evaluation = .afterVerification { _ in throw No() } }
        let error = try #require(await refusing.transportError(witness.url("good")))
        #expect(error.code == .serverCertificateUntrusted)
        #expect(error.tlsFailure == .refused)
        #expect((error.underlying as? TLSFailure)?.cause is No)
    }

    @Test("A judge who takes his time holds up no cancellation, and not longer than TLS may take")
    func slowJudge() async throws {
        let witness = try await TLSWitness.ask()
        let url = try witness.url("good")
        let asked = Mutex(0)
        let verdict = DispatchSemaphore(value: 0)
        let judge: @Sendable (TLSPeer) -> Void = { _ in
            asked.withLock { $0 += 1 }
            verdict.wait()
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

        // Both say yes in the end, to nobody; and so does the next, in time.
        for _ in 0..<3 { verdict.signal() }
        _ = try await witness.client { $0.evaluation = .afterVerification(judge) }.bytes(url)
    }

    @Test("A judge in place of the verification decides alone, and what it refuses is not asked")
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
