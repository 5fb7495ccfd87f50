// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import SimorghInspector
import SimorghTesting
import TestSupport
import Testing

@Suite("simorgh inspect", .timeLimit(.minutes(10)))
struct CommandInspectTests {
    private let client = APIClient()

    /// Writes a file, and removes it after a function.
    private func withFile(_ bytes: Data, _ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).har").path
        try bytes.write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    @Test("A HAR file is shown at the printed address until a signal, without its secrets")
    func file() async throws {
        let recorder = HARRecorder(redaction: .none)
        let recorded = APIClient.scripted(StubServer { _ in .json(#"{"name":"Simorgh"}"#) }) {
            $0.networkInterceptors = [recorder.interceptor]
        }
        _ = try await recorded.call(.get, "birds", headers: ["Authorization": "Bearer the-secret"]).data()
        try await withFile(try recorder.export()) { path in
            let tool = try CommandTool.start(["inspect", path])
            let url = try await tool.line()
            #expect(url.hasPrefix("http://127.0.0.1:"))
            let detail = try await client.call(.get, "\(url)api/call", query: ["number": "1"]).data()
            let text = String(decoding: detail, as: UTF8.self)
            #expect(text.contains("https://api.test/birds") && text.contains("Simorgh"))
            #expect(!text.contains("the-secret"))
            let page = try await client.call(.get, url).response().response
            #expect(page.statusCode == 200 && page.header("Content-Type") == "text/html; charset=utf-8")
            #expect(try await client.call(.post, "\(url)api/clear").status().statusCode == 404)
            tool.signal(SIGTERM)
            #expect(try await tool.outcome().status == 0)
        }
    }

    @Test("A file that is not a HAR file, or does not exist, is a bad argument")
    func invalid() async throws {
        try await withFile(Data("{}".utf8)) { path in
            let outcome = try await CommandTool.run(["inspect", path])
            #expect(outcome.status == 2 && outcome.errors.contains("not a HAR file"), "\(outcome.errors)")
        }
        try await withFile(Data(#"{"log":{"version":"1.2","entries":[{"time":"a"}]}}"#.utf8)) { path in
            let outcome = try await CommandTool.run(["inspect", path])
            #expect(outcome.errors.contains("not a HAR file: log."), "\(outcome.errors)")
        }
        let device = try await CommandTool.run(["inspect", "/dev/zero"])
        #expect(device.status == 2 && device.errors.contains("not a regular file"), "\(device.errors)")
        #expect(try await CommandTool.run(["inspect", "/nowhere.har"]).status == 2)
        #expect(try await CommandTool.run(["inspect", "--open"]).status == 2)
    }

    @Test("The inspector of a running process is listed, and found by the id of the process")
    func live() async throws {
        let inspector = try await Inspector.start(client)
        let line = "\(getpid())\t"
        let list = try await CommandTool.run(["inspect"])
        #expect(list.text.split(separator: "\n").contains { $0.hasPrefix(line) && $0.hasSuffix(inspector.url) })
        let one = try await CommandTool.run(["inspect", "\(getpid())"])
        // Other tests of this process can have inspectors, too.
        #expect(one.status == 0 && one.text.split(separator: "\n").contains { $0 == inspector.url })
        await inspector.stop()
        let after = try await CommandTool.run(["inspect"])
        #expect(!after.text.contains(inspector.url))
    }

    @Test("A process without an inspector is reported")
    func missing() async throws {
        let outcome = try await CommandTool.run(["inspect", "2147483647"])
        #expect(outcome.status == 1 && outcome.errors.contains("has no inspector"), "\(outcome.errors)")
    }
}
#endif
