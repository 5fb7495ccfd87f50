// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

/// HAR files written by Simorgh, validated with the HAR 1.2 schema that har-schema publishes (Tests/Peers/har.py).
@Suite("HAR schema validation", .timeLimit(.minutes(10)))
struct HARWitnessTests {
    /// Returns the validator's errors, one per line; empty for a valid file.
    private func faults(_ file: Data) async throws -> String {
        let variable = "SIMORGH_HAR_JUDGE"
        guard let judge = ProcessInfo.processInfo.environment[variable] else {
            throw Witness.Missing(variable: variable)
        }
        let outcome = try await ChildProcess.run("/bin/sh", arguments: [judge], input: file)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.text
    }

    @Test(
        "A session with every kind of exchange is a valid HAR file",
        arguments: [RedactionRules.standard, RedactionRules.none])
    func session(rules: RedactionRules) async throws {
        let recorder = HARRecorder(redaction: rules)
        var configuration = APIClient.Configuration()
        configuration.networkInterceptors = [recorder.interceptor]
        let client = APIClient(baseURL: try Witness.httpbin.url, configuration: configuration)
        try await client.call(.get, "cookies/set", query: ["sid": "1"]).void()
        try await client.call(.post, "post", body: .form(fields: [QueryItem(name: "a", value: "b c")])).void()
        try await client.call(.put, "put", query: ["q": ""], body: .bytes(Data([0, 1, 2]))).void()
        _ = try await client.call(.get, "image/png").data()
        for try await _ in try await client.stream(.get, "stream/3").lines() {}
        await #expect(throws: NetworkError.self) { try await client.call(.get, "status/418").data() }
        let nowhere = APIClient(baseURL: "http://127.0.0.1:1", configuration: configuration)
        await #expect(throws: NetworkError.self) { try await nowhere.call(.get, "x").data() }
        #expect(recorder.count == 8)
        #expect(try await faults(recorder.export()) == "")
    }

    @Test("A cassette is a valid HAR file")
    func cassette() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        try await Cassette.with(file, mode: .record, over: NIOTransport.shared) { cassette in
            let client = APIClient.scripted(cassette, baseURL: try Witness.httpbin.url)
            _ = try await client.call(.get, "json").data()
            try await client.call(.post, "post", body: .json(["name": "Zal"])).void()
        }
        #expect(try await faults(Data(contentsOf: URL(filePath: file))) == "")
    }

    @Test("The validator reports errors in an invalid HAR file")
    func judge() async throws {
        let text = try await faults(Data(#"{"log": {"version": 1.2, "entries": [{"time": "long"}]}}"#.utf8))
        #expect(text.contains("$.log.version") && text.contains("$.log.entries[0].time") && text.contains("'creator'"))
    }
}
