// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Simorgh
import SimorghGraphQL
import SimorghTesting
import TestSupport
import Testing

/// GraphQL over HTTP against strawberry, ariadne and undine, independent GraphQL servers.
@Suite(.timeLimit(.minutes(10)))
struct GraphQLHTTPWitnessTests {
    private typealias Hello = GraphQLWitness.Hello
    private typealias Count = GraphQLWitness.Count
    private struct Sum: Decodable, Sendable { let add: Int }
    private struct Upload: Decodable, Sendable { let upload: [String] }
    private struct Ended: Decodable, Sendable { let ended: Bool }

    /// The servers.
    enum Server: String, CaseIterable, Sendable { case strawberry, ariadne }

    private typealias Log = GraphQLWitness.Log

    private static func client(
        _ server: Server, path: String = "http", log: Log? = nil, _ change: (inout GraphQLOptions) -> Void = { _ in }
    ) throws -> GraphQLClient {
        try GraphQLWitness.client("\(path)/\(server.rawValue)", log: log, change)
    }

    @Test("A query with variables, by POST and by GET", arguments: Server.allCases, [false, true])
    func query(server: Server, usesGET: Bool) async throws {
        let log = Log([])
        let client = try Self.client(server, log: log) { $0.usesGETForQueries = usesGET }
        let operation = GraphQLOperation(
            "query Other { broken } query Q($name: String) { hello(name: $name) }", operationName: "Q")
        let response = try await client.query(operation, variables: ["name": "Zal & \"پر\" +%#"], as: Hello.self)
        #expect(try response.value() == Hello(hello: "hello Zal & \"پر\" +%#"))
        #expect(log.value.count == 1 && log.value[0].hasPrefix(usesGET ? "GET" : "POST"))
    }

    @Test("Data with errors is a result", arguments: Server.allCases)
    func partial(server: Server) async throws {
        let response = try await Self.client(server).query("{ hello broken }", as: Hello.self)
        #expect(response.data == Hello(hello: "hello world"))
        #expect(response.errors.map(\.message) == ["boom"] && response.errors.first?.path == ["broken"])
        #expect(response.errors.first?.locations.first?.column == 9)
    }

    @Test("A mutation, and the error of one", arguments: Server.allCases)
    func mutation(server: Server) async throws {
        let client = try Self.client(server) { $0.usesGETForQueries = true }
        let sum = try await client.mutate(
            "mutation M($a: Int!) { add(a: $a, b: 2) }", variables: ["a": 40], as: Sum.self)
        #expect(try sum.value().add == 42)
        // strawberry answers 200, and ariadne 400 with a media type that makes it no GraphQL response.
        var messages: [String]
        do {
            messages = try await client.mutate("mutation { refuse }", as: JSON.self).errors.map(\.message)
            #expect(server == .strawberry)
        } catch let error as NetworkError {
            messages = error.graphQLErrors?.faults.map(\.message) ?? []
            #expect(server == .ariadne && error.statusCode == 400)
        }
        #expect(messages == ["refused"])
    }

    /// The outcome of an invalid document.
    enum Invalid: Sendable {
        /// A response with errors.
        case response
        /// The status 400, with errors in a body that is no GraphQL response by its status.
        case refusal
        /// The status 400, and a body without errors.
        case text
    }

    @Test(
        "The errors of an invalid document",
        arguments: [
            (Server.strawberry, "{ nope }", Invalid.response), (.strawberry, "{", .response),
            (.strawberry, "quer { a }", .response), (.strawberry, "", .text), (.ariadne, "{ nope }", .refusal),
            (.ariadne, "{", .refusal), (.ariadne, "quer { a }", .refusal), (.ariadne, "", .refusal),
        ])
    func invalid(server: Server, document: String, outcome: Invalid) async throws {
        let client = try Self.client(server)
        let found: Invalid
        do {
            let response = try await client.query(GraphQLOperation(document), as: JSON.self)
            #expect(response.data == nil && !response.errors.isEmpty)
            found = .response
        } catch let error as NetworkError {
            #expect(error.statusCode == 400)
            found = error.graphQLErrors == nil ? .text : .refusal
        }
        #expect(found == outcome)
    }

    @Test("A server refuses a mutation by GET, and the client never sends one so")
    func mutationByGET() async throws {
        let log = Log([])
        let client = try Self.client(.strawberry, log: log) { $0.usesGETForQueries = true }
        let sum = try await client.mutate("\"Adds.\" mutation M { add(a: 1, b: 2) }", as: Sum.self)
        #expect(try sum.value().add == 3)
        #expect(log.value.count == 1 && log.value[0].hasPrefix("POST"))
        let url = try Witness.graphQL.url.replacingOccurrences(of: "ws://", with: "http://")
        let call = APIClient(baseURL: url).call(
            .get, "http/strawberry", query: ["query": "mutation M { add(a: 1, b: 2) }"])
        do {
            _ = try await call.value()
            Issue.record("the server executed a mutation by GET")
        } catch let error as NetworkError {
            #expect(error.statusCode == 400)
        }
    }

    @Test("Persisted queries: the document is sent once", arguments: Server.allCases, [false, true])
    func persisted(server: Server, usesGET: Bool) async throws {
        let log = Log([])
        let client = try Self.client(server, path: "apq", log: log) {
            $0.usesGETForQueries = usesGET
            $0.usesPersistedQueries = true
        }
        // Unique, because the server keeps documents for all tests.
        let name = "q\(UUID().uuidString.filter { $0 != "-" })"
        let operation = GraphQLOperation("query \(name)($name: String) { hello(name: $name) }")
        for _ in 0..<2 {
            let response = try await client.query(operation, variables: ["name": "Zal"], as: Hello.self)
            #expect(try response.value() == Hello(hello: "hello Zal"))
        }
        #expect(log.value.count == 3)
        #expect(log.value.map { $0.contains(name) } == [false, true, false])
        #expect(log.value.map { $0.hasPrefix("GET") } == [usesGET, false, usesGET])
    }

    @Test("Persisted queries: a server without support gets the document", arguments: Server.allCases, [false, true])
    func unsupported(server: Server, usesGET: Bool) async throws {
        let log = Log([])
        let client = try Self.client(server, log: log) {
            $0.usesGETForQueries = usesGET
            $0.usesPersistedQueries = true
        }
        for _ in 0..<3 {
            #expect(try await client.query("{ hello }", as: Hello.self).value() == Hello(hello: "hello world"))
        }
        let sum = try await client.mutate("mutation { add(a: 1, b: 2) }", as: Sum.self)
        #expect(try sum.value().add == 3)
        // ariadne shows its explorer, an HTML page, for a GET without a document; otherwise the status is 400.
        let isPage = server == .ariadne && usesGET
        #expect(
            log.value.map { $0.contains("hello") }
                == (isPage ? [false, true, true, true, false] : [false, true, false, true, true, false]))
    }

    @Test("Persisted queries: the first call may stream", arguments: Server.allCases, ["http", "apq"])
    func persistedStream(server: Server, path: String) async throws {
        let client = try Self.client(server, path: path) { $0.usesPersistedQueries = true }
        let document = GraphQLOperation("query q\(UUID().uuidString.filter { $0 != "-" }) { hello }")
        for _ in 0..<2 {
            var results: [Hello] = []
            for try await result in client.incremental(document, as: Hello.self) {
                results.append(try result.value())
            }
            #expect(results == [Hello(hello: "hello world")])
        }
    }

    @Test("Uploads: one file, and a list of files", arguments: Server.allCases)
    func uploads(server: Server) async throws {
        let client = try Self.client(server)
        let one = try await client.mutate(
            "mutation ($f: Upload) { upload(file: $f) }",
            uploads: [.data(Data("hoopoe".utf8), at: "f", fileName: "owl.txt")], as: Upload.self)
        #expect(try one.value().upload == ["owl.txt:hoopoe"])
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).txt")
        try Data("on disk".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let list = try await client.mutate(
            "mutation ($fs: [Upload!]) { upload(files: $fs) }",
            uploads: [
                .file(file.path, at: "fs.0"), .data(Data("2".utf8), at: "fs.1", fileName: "b", mimeType: "text/plain"),
            ], as: Upload.self)
        #expect(try list.value().upload == ["\(file.lastPathComponent):on disk", "b:2"])
    }

    @Test("Uploads: a stream, a file name with a quote, and files at the end of a list", arguments: Server.allCases)
    func otherUploads(server: Server) async throws {
        let client = try Self.client(server)
        let body = RequestBody.stream {
            AsyncThrowingStream<Data, any Error> { continuation in
                for text in ["str", "ea", "m"] { continuation.yield(Data(text.utf8)) }
                continuation.finish()
            }
        }
        let list = try await client.mutate(
            "mutation ($fs: [Upload!]) { upload(files: $fs) }", variables: ["fs": []] as JSON,
            uploads: [
                .body(body, at: "fs.0", fileName: "a"), .data(Data("2".utf8), at: "fs.1", fileName: "b\"c.txt"),
            ], as: Upload.self)
        // Both servers leave the percent-encoded quote of the form as it is.
        #expect(try list.value().upload == ["a:stream", "b%22c.txt:2"])
    }

    @Test("@defer and @stream: each part is merged, until the whole data is there")
    func incremental() async throws {
        let client = try Self.client(.strawberry)
        var snapshots: [GraphQLSnapshot<JSON>] = []
        let document: GraphQLOperation =
            "{ bird { name ... @defer(label: \"x\") { song } } birds @stream(initialCount: 1) }"
        for try await result in client.incremental(document, as: JSON.self) { snapshots.append(result) }
        #expect(snapshots.first?.data == ["bird": ["name": "hoopoe"], "birds": ["hoopoe"]])
        #expect(
            snapshots.last?.data
                == ["bird": ["name": "hoopoe", "song": "tereu"], "birds": ["hoopoe", "owl", "finch"]])
        #expect(snapshots.count >= 3 && snapshots.dropLast().allSatisfy(\.hasNext) && snapshots.last?.hasNext == false)
    }

    @Test("An operation without the directives has one result", arguments: Server.allCases)
    func whole(server: Server) async throws {
        var results: [Hello] = []
        for try await result in try Self.client(server).incremental("{ hello }", as: Hello.self) {
            results.append(try result.value())
        }
        #expect(results == [Hello(hello: "hello world")])
    }

    @Test(
        "Subscriptions over each transport",
        arguments: [
            (Server.strawberry, "ws"), (.strawberry, "sse"), (.strawberry, "multipart"), (.ariadne, "ws"),
            (.ariadne, "sse"),
        ])
    func subscriptions(server: Server, transport: String) async throws {
        let client = try Self.client(server) { $0.subscriptions = Self.transport(transport) }
        // One client for both: queries over HTTP, subscriptions over the transport.
        #expect(try await client.query("{ hello }", as: Hello.self).value() == Hello(hello: "hello world"))
        var counts: [Int] = []
        let events = client.subscribe(
            "subscription ($n: Int!) { count(target: $n) }", variables: ["n": 4], as: Count.self)
        for try await event in events { counts.append(event.count) }
        #expect(counts == [0, 1, 2, 3])
        // Leaving the loop ends the subscription, on the server as well.
        let name = UUID().uuidString
        let endless = client.subscribe(
            "subscription ($name: String!) { count(target: 1000000, name: $name) }", variables: ["name": name],
            as: Count.self)
        for try await event in endless where event.count == 2 { break }
        let ended = try await client.query(
            "query ($name: String!) { ended(name: $name) }", variables: ["name": name], as: Ended.self)
        #expect(try ended.value().ended)
        await client.disconnect()
    }

    @Test("Cancelling a task ends its subscription on the server", arguments: Server.allCases, ["sse", "multipart"])
    func cancellation(server: Server, transport: String) async throws {
        guard server == .strawberry || transport == "sse" else { return }
        let client = try Self.client(server) { $0.subscriptions = Self.transport(transport) }
        let name = UUID().uuidString
        let gate = Gate()
        let task = Task {
            let events = client.subscribe(
                "subscription ($name: String!) { count(target: 1000000, name: $name) }", variables: ["name": name],
                as: Count.self)
            for try await _ in events { gate.open() }
        }
        try await gate.wait()
        task.cancel()
        await #expect(throws: NetworkError.self) { try await task.value }
        let ended = try await client.query(
            "query ($name: String!) { ended(name: $name) }", variables: ["name": name], as: Ended.self)
        #expect(try ended.value().ended)
    }

    @Test("Persisted queries leave subscriptions as they are", arguments: ["sse", "multipart"])
    func persistedSubscriptions(transport: String) async throws {
        let client = try Self.client(.strawberry) {
            $0.subscriptions = Self.transport(transport)
            $0.usesPersistedQueries = true
        }
        var counts: [Int] = []
        for try await event in client.subscribe("subscription { count(target: 2) }", as: Count.self) {
            counts.append(event.count)
        }
        #expect(counts == [0, 1])
    }

    @Test("The errors of an invalid subscription", arguments: [Server.ariadne, .strawberry])
    func invalidSubscription(server: Server) async throws {
        let client = try Self.client(server) { $0.subscriptions = .serverSentEvents }
        do {
            for try await _ in client.subscribe("subscription { nope }", as: JSON.self) {}
            Issue.record("the subscription had no error")
        } catch let error as NetworkError {
            let messages = (error.underlyingError as? GraphQLErrors)?.faults.map(\.message) ?? []
            #expect(messages.count == 1 && messages.first?.contains("nope") == true)
        }
    }

    @Test("Errors of subscriptions over HTTP", arguments: ["sse", "multipart"])
    func subscriptionErrors(transport: String) async throws {
        let client = try Self.client(.strawberry) { $0.subscriptions = Self.transport(transport) }
        var responses: [[String]] = []
        for try await response in client.responses("subscription { fail(after: 1) }", as: JSON.self) {
            responses.append(response.errors.map(\.message))
        }
        #expect(responses == [[], ["boom"]])
        await #expect(throws: NetworkError.self) {
            for try await _ in client.subscribe("subscription { nope }", as: JSON.self) {}
        }
    }

    private static func transport(_ name: String) -> GraphQLSubscriptionTransport {
        switch name {
        case "sse": .serverSentEvents
        case "multipart": .multipart
        default: .webSocket()
        }
    }
}
