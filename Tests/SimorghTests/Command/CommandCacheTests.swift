// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import SimorghCommand
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandCacheTests {
    /// Returns a new folder path for each test.
    private static func folder() -> String {
        FileManager.default.temporaryDirectory.appending(path: "cache \(UUID())").path
    }

    @Test("--cache: the second run is a cache hit from disk, and both runs report the cache status")
    func hit() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await MockServer.with { server in
            server.on("/x") { _ in .text("body").header(.cacheControl, value: "max-age=300") }
            let arguments = ["get", server.url + "/x", "--cache", "--cache-path", folder]
            let first = try await CommandTool.run(arguments)
            #expect(first.status == 0 && first.text == "body", "\(first.errors)")
            #expect(first.errors.contains("* cache Simorgh; fwd=uri-miss; stored; ttl="))
            let second = try await CommandTool.run(arguments + ["-v"])
            #expect(second.text == "body")
            #expect(second.errors.contains("* cache Simorgh; hit; ttl="))
            let past = try await CommandTool.run(["get", server.url + "/x"])
            #expect(!past.errors.contains("cache"))
        }
    }

    @Test("simorgh cache lists, shows, counts and purges stored responses")
    func contents() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = ["--cache-path", folder]
        try await MockServer.with { server in
            for name in ["a", "b", "c"] {
                server.on("/\(name)") { _ in
                    .text(name).header(.cacheControl, value: "max-age=300").header(
                        CacheFields.cacheTag, value: name == "c" ? "rest" : "most")
                }
                _ = try await CommandTool.run(["get", server.url + "/\(name)", "--cache"] + own)
            }
            let list = try await CommandTool.run(["cache", "ls"] + own)
            #expect(list.status == 0 && list.text.split(separator: "\n").count == 3, "\(list.errors)")
            #expect(list.text.contains("200\t1\t") && list.text.contains(server.url + "/b\n"))
            let show = try await CommandTool.run(["cache", "show", server.url + "/a"] + own)
            #expect(show.text.contains("200") && show.text.contains("max-age=300"))
            #expect(show.errors.contains("1 bytes"))
            let missing = try await CommandTool.run(["cache", "show", server.url + "/d"] + own)
            #expect(missing.status == ProgramStatus.failure.rawValue)
            #expect(missing.errors.contains("the cache has no response for \(server.url)/d; list them with: simorgh"))
            let statistics = try await CommandTool.run(["cache", "stats"] + own)
            #expect(statistics.text.contains("responses\t3\n") && statistics.text.contains("fresh\t3\n"))
            let url = try await CommandTool.run(["cache", "purge", "--url", server.url + "/a"] + own)
            #expect(url.errors.contains("1 removed"))
            let tag = try await CommandTool.run(["cache", "purge", "--tag", "most"] + own)
            #expect(tag.errors.contains("1 removed"))
            let all = try await CommandTool.run(["cache", "purge", "--all"] + own)
            #expect(all.errors.contains("1 removed"))
            #expect(try await CommandTool.run(["cache", "ls"] + own).text.isEmpty)
        }
    }

    @Test("simorgh cache leaves entries alone if it lacks the folder's encryption key")
    func foreign() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = CacheConfiguration(memoryCapacity: 0, diskPath: folder)
        configuration.encryptionKey = .random()
        do {
            let transport = StubServer(precedence: .first)
            transport.on(
                "/x",
                response: .text("x").header(.cacheControl, value: "max-age=300").header(
                    CacheFields.cacheTag, value: "most"))
            let client = APIClient.scripted(transport) { [configuration] in
                $0.caching.httpCache = HTTPCache(configuration)
            }
            _ = try await client.call(.get, "x").data()
        }
        let own = ["--cache-path", folder]
        // The folder is released when the last task that uses it ends.
        try await eventually { try await CommandTool.run(["cache", "ls"] + own).status == 0 }
        #expect(try await CommandTool.run(["cache", "stats"] + own).text.contains("responses\t0\n"))
        #expect(try await CommandTool.run(["cache", "show", "https://api.test/x"] + own).status != 0)
        // The tags of the encrypted entries cannot be read.
        let purge = try await CommandTool.run(["cache", "purge", "--tag", "most"] + own)
        #expect(purge.errors.contains("0 removed"), "\(purge.errors)")
        let cache = HTTPCache(configuration)
        #expect(await cache.usesDisk)
        #expect(await cache.entries().count == 1)
    }

    @Test("simorgh cache --json prints one JSON object per line")
    func json() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = ["--json", "--cache-path", folder]
        try await MockServer.with { server in
            server.on("/a") { _ in
                .text("body").header(.cacheControl, value: "max-age=300").header(
                    CacheFields.cacheTag, value: "most, rest")
            }
            let url = server.url + "/a"
            _ = try await CommandTool.run(["get", url, "--cache", "--cache-path", folder])
            let list = try Self.object(try await CommandTool.run(["cache", "ls"] + own))
            #expect(list.url.string == url && list.status.int == 200 && list.bytes.int == 4)
            #expect(list.tags == ["most", "rest"] && list.headers.isNull)
            #expect((1...300).contains(list.secondsToLive.int ?? 0) && list.time.string?.hasSuffix("Z") == true)
            let show = try Self.object(try await CommandTool.run(["cache", "show", url] + own))
            let fields = show.headers.array ?? []
            #expect(fields.contains { $0.name.string?.lowercased() == "cache-control" && $0.value == "max-age=300" })
            let statistics = try Self.object(try await CommandTool.run(["cache", "stats"] + own))
            #expect(statistics.responses == 1 && statistics.fresh == 1 && (statistics.bytes.int ?? 0) > 0)
            let purge = try Self.object(try await CommandTool.run(["cache", "purge", "--all"] + own))
            #expect(purge == ["removed": 1])
            #expect(try await CommandTool.run(["cache", "ls"] + own).text.isEmpty)
        }
    }

    /// Decodes the only object that was printed, and checks that nothing else was.
    private static func object(_ outcome: ChildProcess.Outcome) throws -> JSON {
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.text.split(separator: "\n").count == 1, "\(outcome.text)")
        return try JSON(parsing: Data(outcome.text.utf8))
    }

    @Test(
        "Invalid cache arguments are rejected",
        arguments: [
            (["cache", "purge"], "use exactly one"), (["cache", "purge", "--all", "--tag", "x"], "use exactly one"),
            (["get", "http://127.0.0.1:9", "--cache-path", "x"], "--cache-path requires --cache"),
            (["cache", "ls", "--cache-path", ""], "name of a folder"),
        ])
    func refused(arguments: [String], message: String) async throws {
        let outcome = try await CommandTool.run(arguments)
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains(message))
    }

    @Test("simorgh cache reports a folder that is in use or cannot be opened, instead of showing an empty cache")
    func busy() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let cache = HTTPCache(CacheConfiguration(memoryCapacity: 0, diskPath: folder))
        #expect(await cache.usesDisk)
        for arguments in [["ls"], ["stats"], ["purge", "--all"]] {
            let outcome = try await CommandTool.run(["cache"] + arguments + ["--cache-path", folder])
            #expect(outcome.status != 0 && outcome.errors.contains("cannot be opened"))
        }
        let nowhere = try await CommandTool.run(["cache", "ls", "--cache-path", "/proc/simorgh"])
        #expect(nowhere.status != 0 && nowhere.errors.contains("cannot be opened"))
        // A request continues without the cache.
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let got = try await CommandTool.run(["get", server.url + "/get", "--cache", "--cache-path", folder])
            #expect(got.status == 0, "\(got.errors)")
        }
        _ = cache
    }
}
#endif
