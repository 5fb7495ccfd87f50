// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghGraphQL
import SimorghSupport
import SimorghTesting
import Testing

@Suite("GraphQL uploads", .timeLimit(.minutes(5)))
struct GraphQLUploadTests {
    private static let ok = StubResponse.graphQL(#"{"data":{"upload":true}}"#)

    @Test("The form has the operation with null for each file, the map, and the files in order")
    func form() async throws {
        let fixture = GraphQLFixture { _ in Self.ok }
        let uploads: [GraphQLUpload] = [
            .data(Data("one".utf8), at: "file", fileName: "a.txt"),
            .data(Data("two".utf8), at: "input.files.0", fileName: "b\"\r\n.txt", mimeType: "text/x"),
            .body(.text("three"), at: "input.files.1", fileName: "c"),
        ]
        let _: GraphQLResponse<JSON> = try await fixture.client.mutate(
            "mutation { upload }", variables: ["title": "x", "input": ["files": []]] as JSON, uploads: uploads)
        let request = try #require(fixture.server.requests.first)
        let type = try #require(request.header(.contentType))
        let parts = try MultipartParser.parts(of: request.body, contentType: type)
        #expect(parts.map(\.head.name) == ["operations", "map", "0", "1", "2"])
        let operation = try JSON(parsing: Data(parts[0].bytes))
        #expect(operation["variables"] == ["title": "x", "file": nil, "input": ["files": [nil, nil]]])
        #expect(operation["query"] == "mutation { upload }")
        let map = try JSON(parsing: Data(parts[1].bytes))
        #expect(map == ["0": ["variables.file"], "1": ["variables.input.files.0"], "2": ["variables.input.files.1"]])
        #expect(parts[2...].map { String(decoding: $0.bytes, as: UTF8.self) } == ["one", "two", "three"])
        #expect(request.header(.known("Apollo-Require-Preflight")) == "true")
        #expect(request.header(.known("GraphQL-Preflight")) == "1")
    }

    @Test(
        "A path without a place in the variables is an error before anything is sent",
        arguments: [
            "", ".", "a.", "title.0", "list.2", "list.-1", "list.+1", "list.01", "list.x", "new.1",
            String(repeating: "a.", count: 40) + "a",
        ])
    func paths(path: String) async {
        let fixture = GraphQLFixture { _ in Self.ok }
        let error = await caught {
            let _: GraphQLResponse<JSON> = try await fixture.client.mutate(
                "mutation { upload }", variables: ["title": "x", "list": [1]] as JSON,
                uploads: [.data(Data(), at: path, fileName: "a")])
        }
        guard case .invalidRequest(let refusal, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.reason == .invalidJSON)
        #expect(fixture.server.requests.isEmpty)
    }

    @Test("Numbers in the variables keep all their digits")
    func digits() async throws {
        struct Payment: Encodable, Sendable {
            let amount = Decimal(string: "12345678901234567.89")
            let id = UInt64.max
            let file: String? = nil
        }
        let fixture = GraphQLFixture { _ in Self.ok }
        let _: GraphQLResponse<JSON> = try await fixture.client.mutate(
            "mutation { upload }", variables: Payment(), uploads: [.data(Data(), at: "file", fileName: "a")])
        let request = try #require(fixture.server.requests.first)
        let parts = try MultipartParser.parts(
            of: request.body, contentType: try #require(request.header(.contentType)))
        let operation = String(decoding: parts[0].bytes, as: UTF8.self)
        #expect(operation.contains("12345678901234567.89") && operation.contains("18446744073709551615"))
    }

    @Test("Two files at the same path are an error before anything is sent")
    func duplicates() async {
        let fixture = GraphQLFixture { _ in Self.ok }
        let upload = GraphQLUpload.data(Data(), at: "a.0", fileName: "a")
        let error = await caught {
            let _: GraphQLResponse<JSON> = try await fixture.client.mutate("mutation { a }", uploads: [upload, upload])
        }
        guard case .invalidRequest = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test("A limit of no files does not refuse an operation without files", arguments: [0, -1])
    func noFiles(limit: Int) async throws {
        let fixture = GraphQLFixture(options: { $0.maximumUploads = limit }, answer: { _ in Self.ok })
        let response: GraphQLResponse<JSON> = try await fixture.client.mutate("mutation { upload }")
        #expect(response.data?["upload"] == true)
    }

    @Test("The number of files is bounded, and variables must be an object")
    func bounds() async {
        let fixture = GraphQLFixture(options: { $0.maximumUploads = 1 }, answer: { _ in Self.ok })
        let upload = GraphQLUpload.data(Data(), at: "a", fileName: "a")
        let tooMany = await caught {
            let _: GraphQLResponse<JSON> = try await fixture.client.mutate(
                "mutation { a }", uploads: [upload, .data(Data(), at: "b", fileName: "b")])
        }
        let noObject = await caught {
            let _: GraphQLResponse<JSON> = try await fixture.client.mutate(
                "mutation { a }", variables: [1], uploads: [upload])
        }
        let noFile = await caught {
            let _: GraphQLResponse<JSON> = try await fixture.client.mutate(
                "mutation { a }", uploads: [.file("/nonexistent/a", at: "a")])
        }
        for error in [tooMany, noObject, noFile] {
            guard case .invalidRequest = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(fixture.server.requests.isEmpty)
    }
}
