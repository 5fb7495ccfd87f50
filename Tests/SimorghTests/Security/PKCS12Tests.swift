// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import TestSupport
import Testing

/// PKCS #12 archives that openssl wrote, with the engine.
@Suite("PKCS #12 archives of openssl", .timeLimit(.minutes(5)))
struct PKCS12Tests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "pkcs12-\(UUID())").path

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    /// Writes an archive of the test client, and returns its path.
    private func archive(_ witness: TLSWitness, _ options: [String], passphrase: String = "open sesame") async throws
        -> String
    {
        let path = "\(folder)/client.p12"
        let outcome = try await CommandTool.run(
            [
                "pkcs12", "-export", "-in", "\(witness.folder)/client.pem", "-inkey", "\(witness.folder)/client.key",
                "-passout", "pass:\(passphrase)", "-out", path,
            ] + options, program: "/usr/bin/openssl")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return path
    }

    @Test(
        "Archives with modern and older encryption identify the client",
        arguments: [
            [], ["-keypbe", "AES-256-CBC", "-certpbe", "AES-256-CBC", "-macalg", "sha256", "-iter", "100000"],
            ["-keypbe", "AES-128-CBC", "-certpbe", "NONE"], ["-legacy"],
            ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1"],
        ])
    func encryptions(options: [String]) async throws {
        let witness = try await TLSWitness.ask()
        let path = try await archive(witness, options)
        let client = witness.client { $0.identity = TLSIdentity(pkcs12: .file(path), passphrase: "open sesame") }
        let handshake: TLSWitness.Handshake = try await client.get(witness.url("client13"))
        #expect(handshake.client == "Zal")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("An archive with an empty passphrase works")
    func empty() async throws {
        let witness = try await TLSWitness.ask()
        let path = try await archive(witness, [], passphrase: "")
        let client = witness.client { $0.identity = TLSIdentity(pkcs12: .file(path), passphrase: "") }
        let handshake: TLSWitness.Handshake = try await client.get(witness.url("client13"))
        #expect(handshake.client == "Zal")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test(
        "A wrong passphrase, truncated archives and archives without a key or a certificate are errors of the options")
    func unusable() async throws {
        let witness = try await TLSWitness.ask()
        let path = try await archive(witness, [])
        let bytes = try Data(contentsOf: URL(filePath: path))
        let keyless = try Data(contentsOf: URL(filePath: try await archive(witness, ["-nokeys"])))
        let bare = try Data(contentsOf: URL(filePath: try await archive(witness, ["-nocerts"])))
        var cases: [(PKCS12Source, String, TLSOptionsError.Reason)] = [
            (.data(bytes), "wrong", .passphrase), (.data(keyless), "open sesame", .key),
            (.data(bare), "open sesame", .key),
        ]
        for count in [0, 1, 2, 10, bytes.count / 2, bytes.count - 1] {
            cases.append((.data(bytes.prefix(count)), "open sesame", .key))
        }
        for (source, passphrase, reason) in cases {
            let client = witness.client { $0.identity = TLSIdentity(pkcs12: source, passphrase: passphrase) }
            // Nothing listens on this port, so dialing would cause a different error.
            let error = try #require(await client.transportError("https://localhost:1/"))
            #expect((error.underlying as? TLSOptionsError)?.reason == reason, "\(error)")
            #expect(!"\(error)".contains("sesame"))
        }
        try FileManager.default.removeItem(atPath: folder)
    }
}
