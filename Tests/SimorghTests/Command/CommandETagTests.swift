// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import HTTPTypes
import SimorghTesting
import TestSupport
import Testing

@Suite("simorgh get --etag-save, --etag-compare", .timeLimit(.minutes(10)))
struct CommandETagTests {
    /// Runs a test with a server whose resource has the tag "v1", and the path of a file that does not exist.
    private func with(_ body: (_ url: String, _ file: String, MockServer) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tag \(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try await MockServer.with { server in
            server.on("/a") { request in
                guard request.head.headerFields[.ifNoneMatch] != "\"v1\"" else {
                    return .status(.notModified).header(.eTag, value: "\"v1\"")
                }
                return .text("hello").header(.eTag, value: "\"v1\"")
            }
            server.on("/missing", response: .status(.notFound))
            server.on("/plain", response: .text("hello"))
            try await body(server.url, file, server)
        }
    }

    @Test("The second run with both options prints nothing and succeeds")
    func saveAndCompare() async throws {
        try await with { url, file, server in
            let both = ["--etag-save", file, "--etag-compare", file]
            let first = try await CommandTool.run(["get", "\(url)/a"] + both)
            #expect(first.status == 0, "\(first.errors)")
            #expect(first.text == "hello\n" || first.text == "hello")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "\"v1\"\n")
            let second = try await CommandTool.run(["get", "\(url)/a"] + both)
            #expect(second.status == 0, "\(second.errors)")
            #expect(second.text.isEmpty)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "\"v1\"\n")
        }
    }

    @Test("A response without a tag empties the file; an error leaves it")
    func without() async throws {
        try await with { url, file, _ in
            try "\"old\"\n".write(toFile: file, atomically: true, encoding: .utf8)
            let missing = try await CommandTool.run(["get", "\(url)/missing", "--etag-save", file])
            #expect(missing.status != 0)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "\"old\"\n")
            let plain = try await CommandTool.run(["get", "\(url)/plain", "--etag-save", file, "--etag-compare", file])
            #expect(plain.status == 0, "\(plain.errors)")
            #expect(try String(contentsOfFile: file, encoding: .utf8).isEmpty)
        }
    }

    @Test("The tag of another origin is not saved, and a saved tag is not sent to another origin")
    func otherOrigin() async throws {
        try await with { url, file, server in
            let other = try await MockServer.start()
            other.on("/a", response: .text("there").header(.eTag, value: "\"other\""))
            server.on("/moved", response: .status(.found).header(.location, value: "\(other.url)/a"))
            let both = ["-L", "--etag-save", file, "--etag-compare", file]
            let first = try await CommandTool.run(["get", "\(url)/moved"] + both)
            #expect(first.status == 0, "\(first.errors)")
            #expect(try String(contentsOfFile: file, encoding: .utf8).isEmpty)
            try "\"v1\"\n".write(toFile: file, atomically: true, encoding: .utf8)
            let second = try await CommandTool.run(["get", "\(url)/moved", "-L", "--etag-compare", file])
            #expect(second.text.contains("there"), "\(second.errors)")
            #expect(server.requests.last?.header(.ifNoneMatch) == "\"v1\"")
            #expect(other.requests.map { $0.header(.ifNoneMatch) } == [nil, nil])
            await other.shutdown()
        }
    }

    @Test("--output keeps its file if the tag is the same")
    func output() async throws {
        try await with { (url: String, file: String, _: MockServer) async throws -> Void in
            let output = file + ".out"
            defer { try? FileManager.default.removeItem(atPath: output) }
            let arguments = ["get", "\(url)/a", "--etag-save", file, "--etag-compare", file, "--output", output]
            for _ in 0..<2 {
                #expect(try await CommandTool.run(arguments).status == 0)
                #expect(try String(contentsOfFile: output, encoding: .utf8) == "hello")
            }
        }
    }

    @Test("Two conditions, and a file with an invalid tag, are usage errors")
    func usage() async throws {
        try await with { url, file, _ in
            let two = try await CommandTool.run([
                "get", "\(url)/a", "--etag-compare", file, "-H", "If-None-Match: \"x\"",
            ])
            #expect(two.status == 2)
            try "\"a\u{1}\"\n".write(toFile: file, atomically: true, encoding: .utf8)
            let invalid = try await CommandTool.run(["get", "\(url)/a", "--etag-compare", file])
            #expect(invalid.status == 2)
            let post = try await CommandTool.run(["post", "\(url)/a", "--etag-save", file])
            #expect(post.status == 2)
        }
    }
}
#endif
