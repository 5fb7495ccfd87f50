// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import HTTPTypes
import Simorgh
import SimorghCommand
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandSessionTests {
    /// The signature of a PNG file, enough to detect the type.
    private static let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])

    /// Returns statuses one after the other.
    private final class Answers: Sendable {
        private let rest: Mutex<[HTTPResponse.Status]>

        init(_ statuses: [HTTPResponse.Status]) { rest = Mutex(statuses) }

        func next() -> HTTPResponse.Status { rest.withLock { $0.isEmpty ? .gone : $0.removeFirst() } }
    }

    @Test("--user sends credentials from the command line or a file, and output never shows them")
    func basic() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let url = server.url + "/basic-auth/zal/s3cret:x"
            let plain = try await CommandTool.run(["get", url, "--user", "zal:s3cret:x", "-v"])
            #expect(plain.status == 0, "\(plain.errors)")
            #expect(plain.errors.contains("> Authorization: Basic [hidden]\n"))
            let wrong = try await CommandTool.run(["get", url, "--user", "zal:other"])
            #expect(wrong.status == 4)

            let file = FileManager.default.temporaryDirectory.appending(path: "secret \(UUID())")
            try Data("zal:s3cret:x\n".utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let read = try await CommandTool.run(["get", url, "--user", "@\(file.path)"])
            #expect(read.status == 0, "\(read.errors)")
        }
    }

    @Test("--digest answers a Digest challenge", arguments: ["MD5", "SHA-256"])
    func digest(algorithm: String) async throws {
        let url = try Witness.httpbin.url + "/digest-auth/auth/zal/pass/\(algorithm)"
        let outcome = try await CommandTool.run(["get", url, "--user", "zal:pass", "--digest", "-v"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try JSON(parsing: outcome.output).authenticated == true)
        #expect(!outcome.errors.contains("Basic"))
        #expect(!outcome.errors.contains("response="))
        let wrong = try await CommandTool.run(["get", url, "--user", "zal:other", "--digest"])
        #expect(wrong.status == 4)
    }

    @Test("--bearer sends the token")
    func bearer() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let outcome = try await CommandTool.run(["get", server.url + "/bearer", "--bearer", "s3cret"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try JSON(parsing: outcome.output).token == "s3cret")
        }
    }

    @Test("--retry repeats transient errors up to the given count, and reports each retry")
    func retry() async throws {
        try await MockServer.with { server in
            let answers = Answers([.serviceUnavailable, .serviceUnavailable, .ok])
            server.on("/flaky") { _ in .status(answers.next()).header(.retryAfter, value: "0") }
            let outcome = try await CommandTool.run(["get", server.url + "/flaky", "--retry", "2"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 2)
            #expect(outcome.errors.contains("status 503"))

            let shown = Answers([.serviceUnavailable, .ok])
            server.on("/shown") { _ in .status(shown.next()).header(.retryAfter, value: "0") }
            let verbose = try await CommandTool.run(["get", server.url + "/shown", "--retry", "1", "-v"])
            let marks = verbose.errors.split(separator: "\n").compactMap { line in
                ["> GET", "< HTTP", "simorgh:"].first { line.hasPrefix($0) }
            }
            #expect(marks == ["> GET", "< HTTP", "simorgh:", "> GET", "< HTTP"])

            let posts = Answers([.serviceUnavailable, .ok])
            server.on("/post") { _ in .status(posts.next()).header(.retryAfter, value: "0") }
            let post = try await CommandTool.run(["post", server.url + "/post", "--retry", "2", "--data", "x"])
            #expect(post.status == 5)
        }
    }

    @Test("--location follows redirects, and --verbose shows each attempt")
    func location() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let stays = try await CommandTool.run(["get", server.url + "/redirect/2"])
            #expect(stays.status == 3)
            #expect(stays.errors.contains("--location"))
            let follows = try await CommandTool.run(["get", server.url + "/redirect/2", "--location", "-v"])
            #expect(follows.status == 0, "\(follows.errors)")
            #expect(follows.errors.components(separatedBy: "> GET /").count == 4)
            #expect(try JSON(parsing: follows.output).url.string == server.url + "/get")
        }
    }

    @Test("--cookie-jar keeps cookies between runs, in a file that only the user can read")
    func cookies() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            server.on("/set") { _ in .status(.ok).header(.setCookie, value: "sid=s3cret; Path=/") }
            let jar = FileManager.default.temporaryDirectory.appending(path: "jar \(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: jar) }
            let set = try await CommandTool.run(["get", server.url + "/set", "--cookie-jar", jar])
            #expect(set.status == 0, "\(set.errors)")
            let mode = try FileManager.default.attributesOfItem(atPath: jar)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let sent = try await CommandTool.run(["get", server.url + "/headers", "--cookie-jar", jar, "-v"])
            #expect(sent.text.contains("sid=s3cret"))
            #expect(!sent.errors.contains("s3cret"))
            // The file has curl's format; an older JSON file is read, and keeps its format.
            #expect(String(decoding: try Data(contentsOf: URL(filePath: jar)), as: UTF8.self).hasPrefix("# Netscape"))
            let curl = try await CommandTool.run(["get", server.url, "--cookie-jar", jar, "--curl"])
            #expect(curl.text.contains("--cookie '\(jar)' --cookie-jar '\(jar)'"), "\(curl.text)")
            let json = #"{"version":1,"cookies":[]}"#
            try Data(json.utf8).write(to: URL(filePath: jar))
            let refused = try await CommandTool.run(["get", server.url, "--cookie-jar", jar, "--curl"])
            #expect(refused.status == 2 && refused.errors.contains("JSON"))
            _ = try await CommandTool.run(["get", server.url + "/set", "--cookie-jar", jar])
            #expect(String(decoding: try Data(contentsOf: URL(filePath: jar)), as: UTF8.self).contains(#""version":1"#))
        }
    }

    @Test("--form sends a multipart form with its files")
    func parts() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let file = FileManager.default.temporaryDirectory.appending(path: "a;b \(UUID()).png")
            try Self.picture.write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let missing = try await CommandTool.run(["post", server.url + "/upload", "-F", "title=@/no/such/file"])
            #expect(missing.status == 2)
            #expect(missing.errors.contains("/no/such/file"))
            let sent = try await CommandTool.run([
                "post", server.url + "/upload", "-F", "title=a=b", "-F", "cover=@\(file.path)",
                "-F", "named=@\(file.path);type=image/x-own;filename=own \"name\".bin",
            ])
            #expect(sent.status == 0, "\(sent.errors)")
            #expect(sent.text.contains("image/png"))
            #expect(sent.text.contains("image/x-own"))
            #expect(sent.text.contains("a=b"))
        }
    }

    @Test(
        "Contradictory session options are rejected before a request is sent",
        arguments: [
            (["--user", "nocolon"], "no colon"), (["--user", "a:b", "--bearer", "t"], "use only one"),
            (["--digest"], "requires --user"), (["--retry", "-1"], "0 to 1000"), (["-F", "x"], "no equals sign"),
            (["-F", "x=@"], "no file"), (["-F", "x=1", "--data", "y"], "-F each set"),
            (["--user", "@/no/such/file"], "/no/such/file"),
        ])
    func refused(arguments: [String], message: String) async throws {
        let outcome = try await CommandTool.run(["post", "http://127.0.0.1:9"] + arguments)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(message))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test("upload sends the file with its media type, and shows progress on a terminal")
    func upload() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let file = FileManager.default.temporaryDirectory.appending(path: "up \(UUID()).png")
            try Self.picture.write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let outcome = try await CommandTool.run(["upload", file.path, server.url + "/put"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.errors.isEmpty)
            #expect(try JSON(parsing: outcome.output).headers["Content-Type"] == "image/png")
            #expect(try JSON(parsing: outcome.output).headers["Content-Length"].string == "\(Self.picture.count)")

            let command = "'\(CommandTool.path)' upload '\(file.path)' \(server.url)/put"
            let shown = try await CommandTool.run(
                ["--quiet", "--return", "--command", command, "/dev/null"], environment: ["TERM": "xterm"],
                program: "/usr/bin/script")
            #expect(shown.text.contains("[##############################] 100%"))
        }
    }

    @Test("upload --curl sends the file to the same URL as the command", arguments: ["PUT", "POST"])
    func curlUpload(method: String) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let file = FileManager.default.temporaryDirectory.appending(path: "up \(UUID()).png")
            try Self.picture.write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let line = try await CommandTool.run(
                ["upload", file.path, server.url + "/anything/dir/", "--method", method, "--curl"])
            let echo = try JSON(parsing: try await CommandTool.shell(line.text).output)
            #expect(echo.method.string == method)
            #expect(echo.url.string == server.url + "/anything/dir/")
            #expect(echo.headers["Content-Type"] == "image/png")
        }
    }

    @Test("--form with --curl sends the same form as the command")
    func curlForm() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let file = FileManager.default.temporaryDirectory.appending(path: "a;b \(UUID()).png")
            try Self.picture.write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let arguments = ["post", server.url + "/upload", "-F", "t=;a\"b", "-F", "f=@\(file.path)"]
            let own = try JSON(parsing: try await CommandTool.run(arguments).output)
            let line = try await CommandTool.run(arguments + ["--curl"])
            let theirs = try JSON(parsing: try await CommandTool.shell(line.text).output)
            #expect(own.parts == theirs.parts)
        }
    }

    @Test(
        "upload --resumable rejects options that tus decides itself",
        arguments: [["--method", "POST"], ["--timeout", "3"], ["--output", "o"]])
    func refusedWithResumable(arguments: [String]) async throws {
        let outcome = try await CommandTool.run(
            ["upload", "/proc/version", "http://127.0.0.1:9/", "--resumable"] + arguments)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(arguments[0]))
    }

    @Test("upload --resumable uploads to a tus server and prints the upload's URL")
    func resumable() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tus \(UUID()).bin")
        let bytes = MockServer.bytes(300_000, seed: 11)
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let state = FileManager.default.temporaryDirectory.appending(path: "state \(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: state) }
        let outcome = try await CommandTool.run(
            ["upload", file.path, Witness.tus.url + "/files/", "--query", "a=b", "--resumable"],
            environment: ["XDG_STATE_HOME": state])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let url = outcome.text.trimmingCharacters(in: .newlines)
        let id = try #require(url.split(separator: "/").last)
        let report = try await APIClient().call(.get, Witness.tus.url + "/report/\(id)").json()
        #expect(report.size.int == bytes.count)
        #expect(report.received.int == bytes.count)
    }

    @Test(
        "The upload progress line shows amount and speed",
        arguments: [
            (Int64(0), Int64?(100), "[..............................]   0%  0 bytes of 100 bytes, 0 bytes/s"),
            (1536, 3072, "[###############...............]  50%  1.5 KiB of 3.0 KiB, 768 bytes/s"),
            (3 << 20, 3 << 20, "[##############################] 100%  3.0 MiB of 3.0 MiB, 1.5 MiB/s"),
            (0, 0, "[##############################] 100%  0 bytes of 0 bytes, 0 bytes/s"),
            (2048, nil, "2.0 KiB, 1.0 KiB/s"),
        ])
    func progress(sent: Int64, total: Int64?, line: String) {
        #expect(ProgressBar.line(sent: sent, total: total, after: .seconds(2)).text(columns: 80) == line)
    }

    @Test(
        "--curl includes the session options",
        arguments: [
            (["--user", "a:b c"], "--user 'a:b c'"), (["--user", "a:b", "--digest"], "--digest --user a:b"),
            (["--bearer", "t"], "--oauth2-bearer t"), (["--retry", "3", "-L"], "--location"),
            (["-F", "a=@f;type=x/y", "-F", "b=@c"], #"--form 'a=@"f";type=x/y' --form 'b=@"c";type=text/plain'"#),
            (["-F", "a=;b"], "--form-string 'a=;b'"),
        ])
    func curl(arguments: [String], line: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "curl \(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["f", "c"] { try Data("x".utf8).write(to: folder.appending(path: name)) }
        let quoted = (["post", "http://localhost:1/x", "--curl"] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let outcome = try await CommandTool.shell("cd '\(folder.path)' && exec \"$simorgh\" \(quoted)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.contains(line), "\(outcome.text)")
        // Retries are not repeated in curl, and curl generates the boundary itself.
        #expect(!outcome.text.contains("--retry") && !outcome.text.contains("boundary"))
    }
}
#endif
