// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Simorgh
import SimorghTesting
import Testing

@Suite("TLS: pins and client certificates", .timeLimit(.minutes(10)))
struct TLSPinTests {
    private static let spare = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    @Test("A pin matches any certificate in the verified chain", arguments: ["good", "middle", "root"])
    func pinned(name: String) async throws {
        let witness = try await TLSWitness.ask()
        let pin = try witness.pin(name)
        for keys in [[pin, Self.spare], [Self.spare, pin.replacing("sha256/", with: "sha256//", maxReplacements: 1)]] {
            let client = witness.client { $0.pins = [TLSPins(host: "localhost", keys: keys)] }
            _ = try await client.bytes(witness.url("good"))
        }
    }

    @Test("A chain without a pinned key is refused before a request is sent")
    func notPinned() async throws {
        let witness = try await TLSWitness.ask()
        let keys = [try witness.pin("expired"), Self.spare]
        let client = witness.client { $0.pins = [TLSPins(host: "localhost", keys: keys)] }
        let error = try #require(await client.transportError(witness.url("good")))
        #expect(error.code == .serverCertificateUntrusted)
        #expect(error.tlsFailure == .notPinned)
        #expect(error.phase == .tls)
        #expect(!error.requestMayHaveBeenSent)
        // The pins' host pattern does not match this host.
        _ = try await client.bytes(witness.url("good", host: "127.0.0.1"))
    }

    @Test("Pins are enforced until they expire")
    func expiry() async throws {
        let witness = try await TLSWitness.ask()
        for (offset, holds) in [(-60.0, false), (60.0, true)] {
            let pins = TLSPins(
                host: "*", keys: [try witness.pin("expired"), Self.spare], expires: Date(timeIntervalSinceNow: offset))
            let error = await witness.client { $0.pins = [pins] }.transportError(try witness.url("good"))
            #expect((error?.tlsFailure == .notPinned) == holds)
        }
    }

    @Test("With unsafeInsteadOfVerification only the server's own key satisfies a pin")
    func pinnedUnverified() async throws {
        let witness = try await TLSWitness.ask()
        func client(_ name: String) throws -> APIClient {
            try witness.client {
                $0.evaluation = .unsafeInsteadOfVerification { _ in }
                $0.pins = [TLSPins(host: "*", keys: [try witness.pin(name), Self.spare])]
            }
        }
        _ = try await client("good").bytes(witness.url("good"))
        #expect(try await client("middle").transportError(witness.url("good"))?.tlsFailure == .notPinned)
    }

    @Test(
        "Invalid TLS options are rejected before a connection is dialed",
        arguments: [
            TLSOptionsError.Reason.pin, .backupPin, .hostPattern, .serverName, .versions, .file, .certificate, .key,
            .passphrase, .keyMismatch,
        ])
    func invalid(reason: TLSOptionsError.Reason) async throws {
        let witness = try await TLSWitness.ask()
        let good = try witness.pin("good")
        let client = witness.client { options in
            switch reason {
            case .pin: options.pins = [TLSPins(host: "*", keys: [good, "sha256/AAAA"])]
            case .backupPin: options.pins = [TLSPins(host: "*", keys: [good, good])]
            case .hostPattern: options.pins = [TLSPins(host: "a b", keys: [good, Self.spare])]
            case .serverName: options.serverName = "*.example.com"
            case .versions: (options.minimumVersion, options.maximumVersion) = (.tls13, .tls12)
            case .file: options.trust = .only([.file("/nowhere/root.pem")])
            case .certificate: options.trust = .only([.text("nothing")])
            case .key: options.identity = TLSIdentity(certificates: witness.file("client.pem"))
            case .passphrase:
                options.identity = TLSIdentity(
                    certificates: witness.file("client.pem"), key: witness.file("client.enc.key"), passphrase: "wrong")
            case .keyMismatch:
                options.identity = TLSIdentity(
                    certificates: witness.file("client.pem"), key: witness.file("otherclient.key"))
            @unknown default: break
            }
        }
        // Nothing listens on this port, so dialing would cause a different error.
        let error = try #require(await client.transportError("https://localhost:1/"))
        let cause = try #require(error.underlying as? TLSOptionsError, "\(error)")
        #expect(cause.reason == reason)
        #expect(error.code == .secureConnectionFailed)
    }

    @Test("A client certificate is sent on request, from files or text, with an encrypted or plain key")
    func identity() async throws {
        let witness = try await TLSWitness.ask()
        let both = try witness.text("client.pem") + witness.text("client.key")
        let identities = [
            witness.identity,
            TLSIdentity(certificates: .text(both)),
            TLSIdentity(
                certificates: witness.file("client.pem"), key: witness.file("client.enc.key"), passphrase: "open sesame"
            ),
            TLSIdentity(pkcs12: .file("\(witness.folder)/client.p12"), passphrase: "open sesame"),
            TLSIdentity(
                pkcs12: .data(try Data(contentsOf: URL(filePath: "\(witness.folder)/client.p12"))),
                passphrase: "open sesame"),
        ]
        for identity in identities {
            let client = witness.client { $0.identity = identity }
            for port in ["client12", "client13", "optional"] {
                let handshake: TLSWitness.Handshake = try await client.get(witness.url(port))
                #expect(handshake.client == "Zal")
            }
        }
        let anonymous: TLSWitness.Handshake = try await witness.client().get(witness.url("optional"))
        #expect(anonymous.client == nil)
    }

    @Test("An unusable PKCS #12 archive is an error of the options, with its reason")
    func archives() async throws {
        let witness = try await TLSWitness.ask()
        let archive = "\(witness.folder)/client.p12"
        let identities: [(TLSIdentity, TLSOptionsError.Reason)] = [
            (TLSIdentity(pkcs12: .file(archive), passphrase: "wrong"), .passphrase),
            (TLSIdentity(pkcs12: .file(archive + ".nowhere"), passphrase: "open sesame"), .file),
            (TLSIdentity(pkcs12: .data(Data("nothing".utf8)), passphrase: "open sesame"), .key),
        ]
        for (identity, reason) in identities {
            let client = witness.client { $0.identity = identity }
            let error = try #require(await client.transportError("https://localhost:1/"))
            #expect((error.underlying as? TLSOptionsError)?.reason == reason, "\(error)")
            #expect(!"\(error)".contains("sesame"))
        }
    }

    @Test(
        "A client certificate that the server rejects is reported as such",
        arguments: ["client12", "client13", "client13h2"])
    func refused(port: String) async throws {
        let witness = try await TLSWitness.ask()
        let client = witness.client {
            $0.identity = TLSIdentity(
                certificates: witness.file("otherclient.pem"), key: witness.file("otherclient.key"))
        }
        let error = try #require(await client.transportError(witness.url(port)))
        #expect(error.code == .clientCertificateRejected, "\(error)")
        #expect(error.tlsFailure == .clientCertificateRefused)
        // Before TLS 1.3 there is one alert for all handshake failures.
        guard port != "client12" else { return }
        let anonymous = try #require(await witness.client().transportError(witness.url(port)))
        #expect(anonymous.code == .clientCertificateRequired, "\(anonymous)")
        #expect(anonymous.tlsFailure == .clientCertificateRequired)
    }

    @Test("A redirect to another origin drops the client identity and the server name")
    func redirected() async throws {
        let witness = try await TLSWitness.ask()
        let target = try witness.url("optional")
        try await MockServer.with { server in
            server.on(.get, path: "/go") { _ in StubResponse(status: .found, headerFields: [.location: target]) }
            let client = witness.client {
                $0.identity = witness.identity
                $0.serverName = "named.example"
            }
            let handshake: TLSWitness.Handshake = try await client.get("\(server.url)/go")
            #expect(handshake.client == nil)
            #expect(handshake.sni == "localhost")
        }
    }

    @Test("nginx receives the client certificate and the requested TLS version")
    func nginx() async throws {
        let witness = try await TLSWitness.ask()
        let base = try Witness.nginxTLS.url
        let client = witness.client {
            $0.identity = witness.identity
            $0.maximumVersion = .tls12
        }
        #expect(try await client.text("\(base)/tls") == "TLSv1.2 SUCCESS CN=Zal")
        #expect(try await witness.client().text("\(base)/tls") == "TLSv1.3 NONE ")
        #expect(try await client.text("\(base)/needs-client") == "welcome")
    }

    @Test("Descriptions of a TLSIdentity show neither key nor passphrase")
    func secrets() {
        let identity = TLSIdentity(certificates: .text("CERT"), key: .text("SECRET KEY"), passphrase: "SECRET WORD")
        var options = TLSOptions()
        options.identity = identity
        let archive = TLSIdentity(pkcs12: .data(Data("SECRET".utf8)), passphrase: "SECRET")
        for text in ["\(identity)", String(reflecting: identity), "\(archive)", String(reflecting: archive)] {
            #expect(!text.contains("SECRET"))
        }
        var dumped = ""
        dump(options, to: &dumped)
        dump(identity, to: &dumped)
        dump(archive, to: &dumped)
        #expect(!dumped.contains("SECRET"))
    }
}
