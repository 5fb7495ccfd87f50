// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import SimorghCommand
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandTLSTests {
    @Test("Pins, client certificates and TLS versions work as in curl")
    func options() async throws {
        let witness = try await TLSWitness.ask()
        let root = ["--cacert", "\(witness.folder)/root.pem"]
        let pin = try witness.pin("good").replacing("sha256/", with: "sha256//", maxReplacements: 1)
        let issuer = try witness.pin("middle").replacing("sha256/", with: "sha256//", maxReplacements: 1)
        let wrong = try witness.pin("expired")
        let good = try witness.url("good")
        for (arguments, status) in [
            (["--pin", pin], 0), (["--pin", "\(wrong);\(pin)"], 0), (["--pin", wrong], 7),
            (["--pin", issuer], 7), (["--pin", issuer, "--pin", pin], 0), (["--pin", "sha256//AA"], 2),
            (["--tlsv1.2"], 0), (["--tlsv1.3"], 0), (["--tls-max", "1.1"], 2), (["--key", "x"], 2),
        ] {
            let outcome = try await CommandTool.run(["get", good] + root + arguments)
            #expect(outcome.status == Int32(status), "\(arguments): \(outcome.errors)")
        }
        let twelve = try await CommandTool.run(["get", try witness.url("tls12"), "--tlsv1.3"] + root)
        #expect(twelve.status == 7)
        let folder = witness.folder
        let client = try await CommandTool.run(
            ["get", try witness.url("client13"), "--cert", "\(folder)/client.pem:open sesame"] + root
                + ["--key", "\(folder)/client.enc.key"])
        #expect(client.status == 0, "\(client.errors)")
        #expect(client.text.contains("Zal"))
        let anonymous = try await CommandTool.run(["get", try witness.url("client13")] + root)
        #expect(anonymous.status == 7)
        #expect(anonymous.errors.contains("the server requires a client certificate"))
    }

    @Test("--verbose shows the negotiated TLS parameters, and the pins of the certificates")
    func verbose() async throws {
        let witness = try await TLSWitness.ask()
        let outcome = try await CommandTool.run(
            ["get", try witness.url("good"), "-v", "--cacert", "\(witness.folder)/root.pem"])
        #expect(outcome.errors.contains(" with localhost, http/1.1"))
        #expect(outcome.errors.contains("TLSv1.3 TLS_"))
        #expect(outcome.errors.contains(try witness.pin("good")))
        let leaf = "certificate 0: CN=localhost, issued by CN=Simorgh test intermediate, 20"
        #expect(outcome.errors.contains(leaf), "\(outcome.errors)")
    }
}
#endif
