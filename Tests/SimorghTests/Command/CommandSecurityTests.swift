// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import SimorghTesting
import TestSupport
import Testing

/// `--netrc`, `--hsts`, `--doh` and PKCS #12 of the command, compared with curl where it has them.
@Suite(.timeLimit(.minutes(10)))
struct CommandSecurityTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "command-security-\(UUID())").path

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        let path = "\(folder)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private static func curl(_ arguments: [String]) async throws -> ChildProcess.Outcome {
        try await CommandTool.shell((["curl", "-sS"] + arguments).map { "'\($0)'" }.joined(separator: " "))
    }

    @Test("--netrc sends the entry of the host, as curl does")
    func netrc() async throws {
        let httpbin = try Witness.httpbin.url
        let file = try write(
            """
            # the server of the tests
            machine example.com login evil password evil
            machine 127.0.0.1
              login zal
              password "two words"
            """, to: ".netrc")
        let url = "\(httpbin)/basic-auth/zal/two%20words"
        let own = try await CommandTool.run(["get", url, "--netrc-file", file])
        #expect(own.status == 0 && own.errors.isEmpty, "\(own.errors)")
        let home = try await CommandTool.run(["get", url, "-n"], environment: ["HOME": folder])
        #expect(home.status == 0, "\(home.errors)")
        let without = try await CommandTool.run(["get", url])
        #expect(without.status != 0)
        let spaceless = try write("machine 127.0.0.1 login zal password feather", to: "plain")
        let plain = "\(httpbin)/basic-auth/zal/feather"
        #expect(try await CommandTool.run(["get", plain, "--netrc-file", spaceless]).status == 0)
        #expect(try await Self.curl(["-f", "--netrc-file", spaceless, plain]).status == 0)
        let shown = try await CommandTool.run(["get", url, "--netrc-file", file, "--curl"])
        #expect(shown.text.contains("--netrc-file") && !shown.text.contains("two words"), "\(shown.text)")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("--netrc sends no password over http to another machine, and says so; the entry default is not used")
    func netrcOverHTTP() async throws {
        let port = try #require(try Witness.httpbin.url.split(separator: ":").last)
        let file = try write("machine bird.test login zal password feather", to: "a")
        let resolve = ["--resolve", "bird.test:\(port):127.0.0.1"]
        let url = "http://bird.test:\(port)/headers"
        let outcome = try await CommandTool.run(["get", url, "--netrc-file", file] + resolve)
        #expect(outcome.status == 0 && !outcome.text.contains("Authorization"), "\(outcome.text)")
        #expect(outcome.errors.contains("the password is not sent over http"), "\(outcome.errors)")
        let other = try write("default login zal password feather", to: "b")
        let local = try await CommandTool.run(["get", "http://127.0.0.1:\(port)/headers", "--netrc-file", other])
        #expect(local.status == 0 && !local.text.contains("Authorization") && local.errors.isEmpty)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("--netrc follows no redirect to another origin with its password")
    func netrcAfterRedirect() async throws {
        let httpbin = try Witness.httpbin.url
        let port = try #require(httpbin.split(separator: ":").last)
        let file = try write(
            "machine 127.0.0.1 login zal password feather machine localhost login zal password feather", to: "a")
        let target = "http://localhost:\(port)/headers"
        let url = "\(httpbin)/redirect-to?url=\(target)"
        let outcome = try await CommandTool.run(["get", url, "--netrc-file", file, "--location"])
        #expect(outcome.status == 0 && outcome.text.contains("localhost") && !outcome.text.contains("Authorization"))
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A .netrc file that others can read is a warning; a missing or malformed one is an error with the line")
    func netrcFiles() async throws {
        let url = try Witness.httpbin.url + "/get"
        let open = try write("machine a login b", to: "open", mode: 0o644)
        let warned = try await CommandTool.run(["get", url, "--netrc-file", open])
        #expect(warned.status == 0 && warned.errors.contains("other users can read"), "\(warned.errors)")
        let bad = try write("machine a\nlogin b\npasswd s3cret", to: "bad")
        let malformed = try await CommandTool.run(["get", url, "--netrc-file", bad])
        #expect(malformed.status == 2 && malformed.errors.contains("line 3"), "\(malformed.errors)")
        #expect(!malformed.errors.contains("s3cret"))
        for arguments in [["--netrc-file", folder + "/none"], ["--netrc", "--user", "a:b"], ["--netrc-file", ""]] {
            let outcome = try await CommandTool.run(["get", url] + arguments)
            #expect(outcome.status == 2, "\(arguments): \(outcome.errors)")
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("--hsts learns a host, upgrades the next request to it, and shares the file with curl")
    func hsts() async throws {
        let witness = try await TLSWitness.ask()
        let root = ["--cacert", "\(witness.folder)/root.pem"]
        let url = try Witness.nginxTLS.url
        let plain = url.replacing("https://", with: "http://")
        let file = folder + "/hsts.txt"
        let before = try await CommandTool.run(["get", plain + "/tls", "--hsts", file] + root)
        #expect(before.status != 0)
        let learned = try await CommandTool.run(["get", url + "/strict", "--hsts", file] + root)
        #expect(learned.status == 0, "\(learned.errors)")
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("localhost \"") })
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let upgraded = try await CommandTool.run(["get", plain + "/tls", "--hsts", file, "-v"] + root)
        #expect(upgraded.status == 0 && upgraded.text.hasPrefix("TLSv1."), "\(upgraded.errors)")
        // curl reads our file, and we read curl's.
        let peer = try await Self.curl(["-f", "--hsts", file, plain + "/tls"] + root)
        #expect(peer.status == 0 && peer.text.hasPrefix("TLSv1."), "\(peer.errors)")
        let theirs = folder + "/curl.txt"
        #expect(try await Self.curl(["-f", "--hsts", theirs, url + "/strict"] + root).status == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: theirs)
        let shared = try await CommandTool.run(["get", plain + "/tls", "--hsts", theirs] + root)
        #expect(shared.status == 0, "\(shared.errors)")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("--hsts refuses a file of another kind, and one that others can write")
    func hstsFiles() async throws {
        let url = try Witness.httpbin.url + "/get"
        let other = try write("export PATH=/bin\n", to: "profile")
        let open = try write("", to: "open", mode: 0o666)
        for (path, part) in [(other, ":1: "), (open, "chmod 600"), (folder, "not a regular file")] {
            let outcome = try await CommandTool.run(["get", url, "--hsts", path])
            #expect(outcome.status == 2 && outcome.errors.contains(part), "\(outcome.errors)")
        }
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "export PATH=/bin\n")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("--doh resolves names with a DNS server over HTTPS, as curl's --doh-url does")
    func doh() async throws {
        let witness = try await TLSWitness.ask()
        let root = ["--cacert", "\(witness.folder)/root.pem"]
        let doh = try Witness.dnsOverHTTPS.url
        let nginx = try #require(try Witness.nginx.url.split(separator: ":").last)
        let url = "http://alias.birds.test:\(nginx)/seen"
        let outcome = try await CommandTool.run(["get", url, "--doh", doh] + root)
        #expect(outcome.status == 0 && outcome.text.contains("alias.birds.test"), "\(outcome.errors)")
        #expect(try await Self.curl(["-f", "--doh-url", doh, url] + root).status == 0)
        let missing = try await CommandTool.run(["get", "http://nowhere.birds.test:\(nginx)/", "--doh", doh] + root)
        #expect(missing.status != 0 && missing.errors.contains("the name does not exist"), "\(missing.errors)")
        let untrusted = try await CommandTool.run(["get", url, "--doh", doh])
        #expect(untrusted.status != 0 && untrusted.errors.contains("could not be asked"), "\(untrusted.errors)")
        let plain = try await CommandTool.run(["get", url, "--doh", "http://localhost/"])
        #expect(plain.status == 2, "\(plain.errors)")
        let shown = try await CommandTool.run(["get", url, "--doh", doh, "--curl"])
        #expect(shown.text.contains("--doh-url"))
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("--doh asks its server through --proxy, and --pin is for the host of the URL only")
    func dohRoute() async throws {
        let witness = try await TLSWitness.ask()
        let doh = ["--doh", try Witness.dnsOverHTTPS.url, "--cacert", "\(witness.folder)/root.pem"]
        let nginx = try #require(try Witness.nginx.url.split(separator: ":").last)
        let url = "http://birds.test:\(nginx)/seen"
        try await UnreachablePort.with { unreachable in
            // Only the query goes through the proxy.
            let proxy = ["--proxy", "http://127.0.0.1:\(unreachable.port)", "--noproxy", "birds.test"]
            let outcome = try await CommandTool.run(["get", url] + doh + proxy)
            #expect(outcome.status != 0 && outcome.errors.contains("could not be asked"), "\(outcome.errors)")
        }
        let pin = "sha256//" + String(repeating: "A", count: 43) + "="
        let pinned = try await CommandTool.run(["get", url, "--pin", pin] + doh)
        #expect(pinned.status == 0, "\(pinned.errors)")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("--cert takes a PKCS #12 archive, with its passphrase in the argument, in --pass or in a file")
    func archives() async throws {
        let witness = try await TLSWitness.ask()
        let archive = "\(witness.folder)/client.p12"
        let secret = try write("open sesame\n", to: "secret")
        let url = try witness.url("client13")
        let root = ["--cacert", "\(witness.folder)/root.pem"]
        let renamed = folder + "/client.bin"
        try FileManager.default.copyItem(atPath: archive, toPath: renamed)
        for arguments in [
            ["--cert", archive + ":open sesame"], ["--cert", archive, "--pass", "open sesame"],
            ["--cert", archive, "--pass", "@" + secret], ["--cert", renamed + ":open sesame", "--cert-type", "P12"],
            [
                "--cert", "\(witness.folder)/client.pem", "--key", "\(witness.folder)/client.enc.key", "--pass",
                "open sesame",
            ],
        ] {
            let outcome = try await CommandTool.run(["get", url] + root + arguments)
            #expect(outcome.status == 0 && outcome.text.contains("Zal"), "\(arguments): \(outcome.errors)")
        }
        for (arguments, status) in [
            (["--cert", archive + ":wrong"], 2), (["--cert", archive], 2), (["--cert", renamed + ":open sesame"], 2),
            (["--cert", archive + ":a", "--pass", "b"], 2), (["--pass", "b"], 2), (["--cert-type", "P12"], 2),
            (["--cert", archive, "--cert-type", "DER"], 2), (["--cert", archive, "--key", "k"], 2),
        ] {
            let outcome = try await CommandTool.run(["get", url] + root + arguments)
            #expect(outcome.status == Int32(status), "\(arguments): \(outcome.status) \(outcome.errors)")
            #expect(!outcome.errors.contains("sesame"))
        }
        let peer = try await Self.curl(root + ["--cert", archive + ":open sesame", "--cert-type", "P12", url])
        #expect(peer.status == 0 && peer.text.contains("Zal"), "\(peer.errors)")
        let shown = try await CommandTool.run(["get", url, "--cert", archive + ":x", "--curl"])
        #expect(shown.text.contains("--cert-type P12"), "\(shown.text)")
        try FileManager.default.removeItem(atPath: folder)
    }
}
#endif
