// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandGraphQLTests {
    private static func url(_ path: String) throws -> String {
        try Witness.graphQL.url.replacingOccurrences(of: "ws://", with: "http://") + path
    }

    @Test("graphql prints the response of a query, and fails if it has errors", arguments: ["strawberry", "ariadne"])
    func query(server: String) async throws {
        let url = try Self.url("/http/\(server)")
        let document = "query Q($name: String) { hello(name: $name) } query R { broken }"
        for options in [[], ["--get"], ["--persisted"]] {
            let outcome = try await CommandTool.run(
                ["graphql", url, document, "--variables", #"{"name": "Zal"}"#, "--operation", "Q"] + options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text == #"{"data":{"hello":"hello Zal"}}"#)
        }
        let partial = try await CommandTool.run(["graphql", url, document, "--operation", "R"])
        #expect(partial.status == 1)
        #expect(try JSON(parsing: partial.output)["data"] == ["broken": nil])
        #expect(partial.errors.contains("boom"))
    }

    @Test("graphql uploads files, and reads the document and the variables from files")
    func files() async throws {
        let folder = try CommandDownloadTests.Folder()
        try Data("hoo".utf8).write(to: URL(filePath: folder.path + "/owl.txt"))
        try Data("mutation ($f: Upload) { upload(file: $f) }".utf8).write(to: URL(filePath: folder.path + "/doc"))
        try Data("{}".utf8).write(to: URL(filePath: folder.path + "/variables"))
        let outcome = try await CommandTool.run([
            "graphql", try Self.url("/http/ariadne"), "@\(folder.path)/doc", "--variables", "@\(folder.path)/variables",
            "--upload", "f=@\(folder.path)/owl.txt",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text == #"{"data":{"upload":["owl.txt:hoo"]}}"#)
    }

    @Test("graphql prints each response of a subscription on a line", arguments: ["ws", "sse", "multipart"])
    func subscription(transport: String) async throws {
        let url = try Self.url("/http/strawberry")
        let whole = try await CommandTool.run([
            "graphql", url, "subscription { count(target: 3) }", "--over", transport,
        ])
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(whole.text == (0..<3).map { #"{"data":{"count":\#($0)}}"# + "\n" }.joined())
        let some = try await CommandTool.run([
            "graphql", url, "subscription { count(target: 1000) }", "--over", transport, "--count", "2",
        ])
        #expect(some.status == 0 && some.text.split(separator: "\n").count == 2, "\(some.errors)")
    }

    @Test("graphql fails after a subscription with errors", arguments: ["sse", "multipart"])
    func subscriptionErrors(transport: String) async throws {
        let outcome = try await CommandTool.run([
            "graphql", try Self.url("/http/strawberry"), "subscription { fail(after: 1) }", "--over", transport,
        ])
        #expect(outcome.status == 1, "\(outcome.errors)")
        let lines = try outcome.text.split(separator: "\n").map { try JSON(parsing: Data($0.utf8)) }
        #expect(lines.count == 2 && lines.first?["data"] == ["fail": 0])
        #expect(lines.last?["errors"][0]["message"] == "boom")
        let invalid = try await CommandTool.run([
            "graphql", try Self.url("/http/strawberry"), "\"Numbers.\" subscription S { nope }", "--over", transport,
        ])
        #expect(invalid.status == 1 && invalid.text.contains("nope"), "\(invalid.errors)")
    }

    @Test("graphql sends the digits of numbers in variables")
    func digits() async throws {
        // httpbin responds with the body of the request as the member `data`.
        let outcome = try await CommandTool.run([
            "graphql", try Witness.httpbin.url + "/post", "query ($id: ID) { a(id: $id) }", "--variables",
            #"{"id": 123456789012345678901234, "amount": 0.10}"#,
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let sent = try JSON(parsing: outcome.output)["data"].string ?? ""
        #expect(sent.contains(#""variables":{"id": 123456789012345678901234, "amount": 0.10}"#))
    }

    @Test("graphql prints the merged data of @defer and @stream")
    func incremental() async throws {
        let outcome = try await CommandTool.run([
            "graphql", try Self.url("/http/strawberry"), "{ bird { name ... @defer { song } } }",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.text.split(separator: "\n").map(String.init)
        #expect(lines.first == #"{"data":{"bird":{"name":"hoopoe"}},"hasNext":true}"#)
        #expect(lines.last == #"{"data":{"bird":{"name":"hoopoe","song":"tereu"}},"hasNext":false}"#)
    }

    @Test(
        "graphql refuses arguments without sending anything",
        arguments: [
            ["--variables", "[1]"], ["--variables", "{"], ["--count", "0"], ["--upload", "f=a"], ["--upload", "@a"],
            ["--upload", "f=@/nonexistent"], ["--timeout", "0"], ["--over", "smoke"],
        ])
    func usage(options: [String]) async throws {
        let outcome = try await CommandTool.run(["graphql", "http://127.0.0.1:1/", "mutation { a }"] + options)
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test("graphql has the exit statuses of other commands")
    func statuses() async throws {
        let refused = try await CommandTool.run(["graphql", try Self.url("/http/ariadne"), "{ nope }"])
        #expect(refused.status == 4)
        #expect(try JSON(parsing: refused.output)["errors"][0]["message"].string?.contains("nope") == true)
        let closed = try await CommandTool.run(["graphql", "http://127.0.0.1:1/", "{ a }"])
        #expect(closed.status == 6)
        let page = try await CommandTool.run(["graphql", try Self.url("/"), "{ a }"])
        #expect(page.status == 9, "\(page.errors)")
    }
}
#endif
