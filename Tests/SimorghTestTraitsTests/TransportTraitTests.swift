// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghSupport
import SimorghTestTraits
import SimorghTesting
import TestSupport
import Testing

/// An application that takes time to start.
private func application() async throws -> InProcessTransport {
    await Task.yield()
    return InProcessTransport { _ in InProcessResponse(status: .accepted) }
}

@Suite("Traits for tests", .timeLimit(.minutes(2)))
struct TransportTraitTests {
    /// One client for all tests, as a program may have.
    private static let shared = APIClient.scripted(ScopedTransport(), baseURL: "https://api.test")

    private struct Broken: Error {}

    @Test(
        ".stubbed provides the stubs of one test",
        .stubbed { $0.fakeGET("birds/{id}", response: #"{"id": {id}}"#) })
    func stubbed() async throws {
        #expect(try await APIClient.scoped().call(.get, "birds/7").json().id.int == 7)
        #expect(try await Self.shared.call(.get, "birds/8").json().id.int == 8)
        #expect(TestScope.current?.stubs?.requestCount == 2)
    }

    @Test(".cassette replays the file beside the test", .cassette("birds", baseURL: "https://birds.example"))
    func cassette() async throws {
        #expect(try await APIClient.scoped().call(.get, "birds/7").json().name == "Zal")
        #expect(TestScope.current?.cassette?.unused == [])
    }

    @Test(
        ".transport provides any transport",
        .transport { InProcessTransport { _ in InProcessResponse(status: .accepted) } })
    func transport() async throws {
        #expect(try await Self.shared.call(.get, "a").status().statusCode == 202)
        #expect(TestScope.current?.stubs == nil)
    }

    @Test(".transport awaits its function", .transport { try await application() })
    func asynchronous() async throws {
        #expect(try await APIClient.scoped().call(.get, "a").status().statusCode == 202)
    }

    @Test("A request outside a test with a trait is refused, and the error says what to add")
    func outside() async throws {
        let error = await #expect(throws: NetworkError.self) { try await Self.shared.call(.get, "a").void() }
        #expect("\(try #require(error))".contains(".stubbed"))
    }

    @Suite("In a suite", .stubbed(baseURL: "https://suite.test") { $0.fakeGET("a", response: "1") })
    struct InASuite {
        @Test("Each case of a parameterized test has stubs of its own, while all run in parallel", arguments: 0..<20)
        func isolated(number: Int) async throws {
            let stubs = try #require(TestScope.current?.stubs)
            stubs.fakeGET("number", response: "\(number)")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        let found = try await APIClient.scoped().call(.get, "number").json().int
                        #expect(found == number)
                    }
                }
                try await group.waitForAll()
            }
            #expect(stubs.requestCount == 10)
        }

        @Test("The trait of a test counts before that of its suite", .stubbed { $0.fakeGET("a", response: "2") })
        func inner() async throws {
            #expect(try await APIClient.scoped().call(.get, "a").json().int == 2)
        }
    }

    /// Runs a function with a trait as the runner does, and returns the files that the trait attached.
    private static func attached(
        by trait: TransportTrait, _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> (files: [JSON], error: (any Error)?) {
        let files = LockedValue<[JSON]>([])
        var trait = trait
        trait.report = { file, _ in
            let json = (try? JSON(parsing: Data(file))) ?? .null
            files.change { $0.append(json) }
        }
        let test = try #require(Test.current)
        do {
            try await trait.provideScope(for: test, testCase: Test.Case.current) { try await body() }
            return (files.value, nil)
        } catch {
            return (files.value, error)
        }
    }

    @Test("A test that succeeds attaches nothing")
    func success() async throws {
        let result = try await Self.attached(by: .stubbed { $0.fakeGET("a", response: "1") }) {
            try await APIClient.scoped().call(.get, "a").void()
        }
        #expect(result.error == nil && result.files.isEmpty)
    }

    @Test("A test that throws attaches its exchanges, without credentials")
    func throwing() async throws {
        let result = try await Self.attached(by: .stubbed { $0.fakeGET("a", response: "1") }) {
            try await APIClient.scoped().call(.get, "a", headers: ["Authorization": "Bearer sesame"]).void()
            throw Broken()
        }
        #expect(result.error is Broken)
        let file = try #require(result.files.first)
        #expect(file.log.entries[0].request.url == "https://api.test/a")
        #expect(file.log.entries[0].response.status == 200)
        #expect(!"\(file)".contains("sesame"))
    }

    @Test("A test that records a failure attaches its exchanges")
    func recording() async throws {
        let files = LockedValue<[JSON]>([])
        let test = try #require(Test.current)
        // Drops the failure after the trait has seen it.
        try await IssueHandlingTrait.filterIssues { _ in false }.provideScope(for: test, testCase: Test.Case.current) {
            let result = try await Self.attached(by: .stubbed { $0.fakeGET("a", response: "1") }) {
                try await APIClient.scoped().call(.get, "a").void()
                Issue.record("as the test wants")
            }
            files.change { $0 = result.files }
        }
        #expect(files.value.count == 1)
    }

    @Test("A response that was not requested fails the test")
    func unused() async throws {
        let result = try await Self.attached(by: .stubbed { $0.on(.get, path: "/a", inOrder: [.status(.ok)]) }) {}
        #expect(result.error is UnmetExpectationsError)
        #expect(result.files.isEmpty)
    }

    @Test("A cassette that does not exist is an error that names the file")
    func missing() async throws {
        let result = try await Self.attached(by: .cassette("none")) {}
        #expect("\(try #require(result.error))".contains("Cassettes/none.har"))
    }

    @Test("Recording creates the folder, and the cassette replays afterwards")
    func record() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/simorgh-traits-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = StubServer { _ in .json(#"{"id": 9}"#) }
        let source = folder + "/BirdTests.swift"
        for mode in [Cassette.Mode.record, .replay] {
            let trait = TransportTrait.cassette("birds", mode: mode, over: server, filePath: source)
            let result = try await Self.attached(by: trait) {
                let found = try await APIClient.scoped().call(.get, "birds/9").json().id.int
                #expect(found == 9)
            }
            #expect(result.error == nil)
        }
        #expect(server.requestCount == 1)
        #expect(FileManager.default.fileExists(atPath: folder + "/Cassettes/birds.har"))
    }

    @Test("A parameterized test cannot record, because its cases would replace each other's files", arguments: [1])
    func parameterized(number: Int) async throws {
        let trait = TransportTrait.cassette("none", mode: .record, over: StubServer { _ in .status(.ok) })
        let result = try await Self.attached(by: trait) {}
        #expect(result.error is CassetteTraitError)
    }

    @Suite("Recording", .serialized)
    struct Recording {
        private static let folder = FileManager.default.temporaryDirectory.path + "/simorgh-traits-\(UUID().uuidString)"
        /// The number of tests of this suite that have recorded, or tried to.
        private static let attempts = Counter()

        private static func record() async throws {
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let server = StubServer { _ in .status(.ok) }
            let trait = TransportTrait.cassette("a", mode: .record, over: server, filePath: folder + "/Tests.swift")
            let result = try await TransportTraitTests.attached(by: trait) {
                try await APIClient.scoped().call(.get, "a").void()
            }
            let isFirst = attempts.next() == 1
            #expect((result.error == nil) == isFirst)
            #expect(server.requestCount == (isFirst ? 1 : 0))
            #expect(FileManager.default.fileExists(atPath: folder + "/Cassettes/a.har") == isFirst)
        }

        @Test("A file is recorded by one test")
        func one() async throws { try await Self.record() }

        @Test("Another test does not replace the file")
        func another() async throws { try await Self.record() }
    }

    @Test("The attached exchanges hide what the rules of a trait name")
    func redaction() async throws {
        var rules = Cassette.Rules()
        rules.secretNames = ["taxNumber"]
        let folder = FileManager.default.temporaryDirectory.path + "/simorgh-traits-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = StubServer { _ in .status(.ok) }
        let cassette = TransportTrait.cassette(
            "a", mode: .record, over: server, rules: rules, filePath: folder + "/Tests.swift")
        var redaction = RedactionRules()
        redaction.names = ["taxNumber"]
        let application = InProcessTransport { _ in InProcessResponse() }
        let traits: [TransportTrait] = [
            cassette, .stubbed(redaction: redaction) { $0.fakeGET("a", response: "1") },
            .transport(redaction: redaction) { application },
        ]
        for trait in traits {
            let result = try await Self.attached(by: trait) {
                try await APIClient.scoped().call(.get, "a", query: ["taxNumber": "4711"]).void()
                throw Broken()
            }
            let file = try #require(result.files.first)
            #expect("\(file)".contains("taxNumber"))
            #expect(!"\(file)".contains("4711"))
        }
    }

    @Test("A scoped client opens WebSockets over a transport that supports them")
    func webSocket() async throws {
        let server = ScriptedWebSocket()
        let result = try await Self.attached(by: .transport { server }) {
            let link = try await APIClient.scoped().openWebSocket {
                var request = WebSocketRequest()
                request.path = "live"
                return request
            }
            let peer = try await server.peer(at: 0)
            try await link.send(.text("a"))
            let text = try await peer.receiveText()
            #expect(text == "a")
            peer.drop()
        }
        #expect(result.error == nil)
        let head = HTTPRequest(method: .get, scheme: "wss", authority: "api.test", path: "/")
        let refused = try await Self.attached(by: .stubbed { _ in }) {
            _ = try await ScopedTransport().open(TransportRequest(head: head), options: WebSocketChannelOptions())
        }
        #expect("\(try #require(refused.error))".contains("does not support WebSockets"))
    }

    @Test("The leftovers of a scoped client are those of the test's transport")
    func leftovers() async throws {
        let gate = Gate()
        let trait = TransportTrait.stubbed { $0.on(.get, path: "/a", response: .text("a").held(by: gate)) }
        let result = try await Self.attached(by: trait) {
            let client = APIClient.scoped()
            let task = Task { try await client.call(.get, "a").void() }
            try await gate.waiting()
            #expect(client.leftovers == TestScope.current?.stubs?.leftovers)
            #expect(client.leftovers.isEmpty == false)
            let scope = try #require(TestScope.current)
            #expect(APIClient.scripted(scope.transport).leftovers == client.leftovers)
            gate.open()
            try await task.value
            try await eventually { client.leftovers.isEmpty }
        }
        #expect(result.error == nil)
    }
}
