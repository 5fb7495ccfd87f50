// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandCacheTests {
    /// A folder of its own for each test.
    private static func folder() -> String {
        FileManager.default.temporaryDirectory.appending(path: "cache \(UUID())").path
    }

    @Test("The second run is answered from the first one's file, and both say what the cache did")
    func hit() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await MockServer.with { server in
            server.on("/x") { _ in .text("body").header(.cacheControl, "max-age=300") }
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

    @Test("What is kept can be listed, shown, counted and purged")
    func contents() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = ["--cache-path", folder]
        try await MockServer.with { server in
            for name in ["a", "b", "c"] {
                server.on("/\(name)") { _ in
                    .text(name).header(.cacheControl, "max-age=300").header(
                        CacheFields.cacheTag, name == "c" ? "rest" : "most")
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
            #expect(missing.status != 0 && missing.errors.contains("no response of this URL is stored"))
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

    @Test("Whoever looks at a folder whose key it does not have, leaves what is in it")
    func foreign() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = CacheConfiguration(memoryCapacity: 0, diskPath: folder)
        configuration.encryptionKey = .random()
        do {
            let transport = StubServer(precedence: .first)
            transport.on("/x", .text("x").header(.cacheControl, "max-age=300").header(CacheFields.cacheTag, "most"))
            let client = APIClient.scripted(transport) { [configuration] in
                $0.caching.httpCache = HTTPCache(configuration)
            }
            _ = try await client.call(.get, "x").data()
        }
        let own = ["--cache-path", folder]
        // The folder is let go with the last task that had it.
        try await eventually { try await CommandTool.run(["cache", "ls"] + own).status == 0 }
        #expect(try await CommandTool.run(["cache", "stats"] + own).text.contains("responses\t0\n"))
        #expect(try await CommandTool.run(["cache", "show", "https://api.test/x"] + own).status != 0)
        // Nobody can tell which tags it has.
        let purge = try await CommandTool.run(["cache", "purge", "--tag", "most"] + own)
        #expect(purge.errors.contains("0 removed"), "\(purge.errors)")
        let cache = HTTPCache(configuration)
        #expect(await cache.usesDisk)
        #expect(await cache.entries().count == 1)
    }

    @Test("Scripts are told the same as objects of JSON, one on each line")
    func json() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = ["--json", "--cache-path", folder]
        try await MockServer.with { server in
            server.on("/a") { _ in
                .text("body").header(.cacheControl, "max-age=300").header(CacheFields.cacheTag, "most, rest")
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
            #expect(purge == ["forgotten": 1])
            #expect(try await CommandTool.run(["cache", "ls"] + own).text.isEmpty)
        }
    }

    /// The one object that was printed, and nothing else.
    private static func object(_ outcome: ChildProcess.Outcome) throws -> JSON {
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.text.split(separator: "\n").count == 1, "\(outcome.text)")
        return try JSON(parsing: Data(outcome.text.utf8))
    }

    @Test(
        "What cannot be meant is refused",
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

    @Test("A folder that another process has, or that cannot be used, is said to be, and no empty cache is shown")
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
        // A request does without.
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let got = try await CommandTool.run(["get", server.url + "/get", "--cache", "--cache-path", folder])
            #expect(got.status == 0, "\(got.errors)")
        }
        _ = cache
    }
}
#endif
