// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghREST
import SimorghTesting
import TestSupport
import Testing

@Suite("APIClient.update", .timeLimit(.minutes(5)))
struct UpdateTests {
    private struct Counter: Codable, Equatable, Sendable {
        var count: Int
        var note: String?
    }

    /// A resource with a version, which another client changes before the first writes.
    private final class Resource: Sendable {
        struct State {
            var count = 0
            var version = 1
            var interruptions: Int
        }

        let state: SharedState<State>
        let server = StubServer()

        init(interruptions: Int = 0, echoes: Bool = true) {
            state = SharedState(State(interruptions: interruptions))
            server.on(.get, path: "/c") { [state] _ in
                let (count, version) = state.withLock { ($0.count, $0.version) }
                return .json(#"{"count":\#(count),"unknown":true}"#).header(.eTag, value: "\"\(version)\"")
            }
            server.on(.put, path: "/c") { [state] request in
                let sent = try JSON(parsing: request.body)
                let isMatch = state.withLock { state -> Bool in
                    if state.interruptions > 0 {
                        state.interruptions -= 1
                        state.count += 10
                        state.version += 1
                    }
                    guard request.head.headerFields[.ifMatch] == "\"\(state.version)\"" else { return false }
                    state.count = sent.count.int ?? -1
                    state.version += 1
                    return true
                }
                guard isMatch else { return .status(.preconditionFailed) }
                return echoes ? .json(#"{"count":\#(sent.count.int ?? -1),"note":"server"}"#) : .status(.noContent)
            }
        }

        var requests: [String] { server.requests.map { $0.method.rawValue } }
    }

    @Test("It reads, changes and writes, and returns the server's representation")
    func once() async throws {
        let resource = Resource()
        let value = try await APIClient.scripted(resource.server).update("c", as: Counter.self) { $0.count += 1 }
            .value()
        #expect(value == Counter(count: 1, note: "server"))
        #expect(resource.requests == ["GET", "PUT"])
        #expect(resource.server.requests[1].head.headerFields[.ifMatch] == "\"1\"")
        #expect(resource.server.requests[1].head.headerFields[.contentType] == "application/json")
        #expect(resource.server.requests[1].head.headerFields[.acceptEncoding] == nil)
        #expect(resource.server.requests[0].head.headerFields[.contentType] == nil)
    }

    @Test("Without a body in the response, the value is the one that was written")
    func withoutBody() async throws {
        let resource = Resource(echoes: false)
        let value = try await APIClient.scripted(resource.server).update("c", as: Counter.self) { $0.count = 5 }.value()
        #expect(value == Counter(count: 5))
    }

    @Test("After a 412 it reads again, so that no change of another client is lost")
    func conflicts() async throws {
        let resource = Resource(interruptions: 3)
        let runs = Counts()
        let call = APIClient.scripted(resource.server).update("c", as: Counter.self) { value in
            runs.add()
            value.count += 1
        }
        #expect(try await call.value().count == 31)
        #expect(runs.value == 4)
        #expect(resource.requests == ["GET", "PUT", "GET", "PUT", "GET", "PUT", "GET", "PUT"])
    }

    @Test("After the last attempt it throws the server's 412")
    func bound() async throws {
        let resource = Resource(interruptions: .max)
        let error = try await #require(throws: NetworkError.self) {
            try await APIClient.scripted(resource.server).update("c", as: Counter.self, attempts: 2) { $0.count += 1 }
                .value()
        }
        #expect(error.preconditionError?.statusCode == 412)
        #expect(error.context?.method == "PUT")
        #expect(resource.requests == ["GET", "PUT", "GET", "PUT"])
    }

    @Test("A 412 after an attempt whose response was lost is thrown, because the change may have been made")
    func lostResponse() async throws {
        let resource = Resource()
        let isFirst = SharedState(true)
        let lossy = Interceptor { request, next in
            let response = try await next(request)
            guard request.head.method == .put,
                isFirst.withLock({ isFirst in
                    defer { isFirst = false }
                    return isFirst
                })
            else { return response }
            throw TransportError(.networkConnectionLost, phase: .head, message: "lost", requestMayHaveBeenSent: true)
        }
        let client = APIClient.scripted(resource.server) { configuration in
            configuration.networkInterceptors = [lossy]
            configuration.retry = RetryPolicy()
            configuration.retry?.baseDelay = .zero
        }
        let error = try await #require(throws: NetworkError.self) {
            try await client.update("c", as: Counter.self) { $0.count += 1 }.value()
        }
        #expect(error.preconditionError != nil)
        #expect(resource.state.withLock { $0.count } == 1)
        #expect(resource.requests == ["GET", "PUT", "PUT"])
    }

    @Test("A change that changes nothing writes nothing")
    func nothing() async throws {
        let resource = Resource()
        let value = try await APIClient.scripted(resource.server).update("c", as: Counter.self) { _ in }.value()
        #expect(value == Counter(count: 0))
        #expect(resource.requests == ["GET"])
    }

    @Test("A patch leaves members alone that the type lacks", arguments: [UpdateMethod.mergePatch, .jsonPatch])
    func patches(method: UpdateMethod) async throws {
        let server = StubServer()
        server.on(
            .get, path: "/c", response: .json(#"{"count":1,"note":"x","unknown":true}"#).header(.eTag, value: "\"1\""))
        server.on(.patch, path: "/c", response: .status(.noContent))
        let call = APIClient.scripted(server).update("c", as: Counter.self, by: method) { $0 = Counter(count: 2) }
        #expect(try await call.value() == Counter(count: 2))
        let sent = try JSON(parsing: try #require(server.requests.last).body)
        if method == .mergePatch {
            #expect(sent == ["count": 2, "note": nil])
        } else {
            #expect(sent == [["op": "remove", "path": "/note"], ["op": "replace", "path": "/count", "value": 2]])
        }
        let type = server.requests.last?.head.headerFields[.contentType]
        #expect(type == (method == .mergePatch ? "application/merge-patch+json" : "application/json-patch+json"))
    }

    @Test("Without a strong tag nothing is written", arguments: ["W/\"1\"", "1", nil])
    func noTag(tag: String?) async throws {
        let server = StubServer { _ in
            let response = StubResponse.json(#"{"count":1}"#)
            return tag.map { response.header(.eTag, value: $0) } ?? response
        }
        let error = try await #require(throws: NetworkError.self) {
            try await APIClient.scripted(server).update("c", as: Counter.self) { $0.count += 1 }.value()
        }
        #expect((error.underlyingError as? EntityTagError)?.reason == .noStrongTag)
        #expect(server.requestCount == 1)
    }

    @Test("A read that another origin answers is not written back", arguments: ["GET", "PUT"])
    func anotherOrigin(redirected: String) async throws {
        let server = StubServer()
        let away = StubResponse.status(.temporaryRedirect).header(.location, value: "https://other.test/c")
        let here = StubResponse.json(#"{"count":1}"#).header(.eTag, value: "\"1\"")
        server.on(.get, path: "https://api.test/c", response: redirected == "GET" ? away : here)
        server.on(.put, path: "https://api.test/c", response: away)
        server.on("https://other.test/c", response: here)
        let error = try await #require(throws: NetworkError.self) {
            try await APIClient.scripted(server).update("c", as: Counter.self) { $0.count += 1 }.value()
        }
        #expect((error.underlyingError as? EntityTagError)?.reason == .anotherOrigin)
        #expect(
            !server.requests.contains { $0.head.authority == "other.test" && $0.head.headerFields.contains(.ifMatch) })
        #expect(!server.requests.contains { $0.head.authority == "other.test" && $0.method == .put })
    }

    @Test("A write that is redirected to another resource of the origin is refused, although the tags are equal")
    func anotherResource() async throws {
        let server = StubServer()
        let first = StubResponse.json(#"{"count":1}"#).header(.eTag, value: "\"1\"")
        server.on(.get, path: "/c", response: first)
        server.on(.put, path: "/c", response: .status(.temporaryRedirect).header(.location, value: "/c/2"))
        server.on(.put, path: "/c/2", response: .status(.noContent))
        let error = try await #require(throws: NetworkError.self) {
            try await APIClient.scripted(server).update("c", as: Counter.self) { $0.count += 1 }.value()
        }
        let cause = try #require(error.underlyingError as? EntityTagError)
        #expect(cause.reason == .anotherResource)
        #expect(cause.url == "https://api.test/c/2")
        #expect(server.requests.map { "\($0.method.rawValue) \($0.path)" } == ["GET /c", "PUT /c"])
    }

    @Test(
        "After a redirected read, the write may go to the URL that answered the read, and is not refused at the first one",
        arguments: [true, false])
    func redirectedRead(isWriteRedirected: Bool) async throws {
        let server = StubServer()
        let moved = StubResponse.status(.temporaryRedirect).header(.location, value: "/c/1#part")
        server.on(.get, path: "/c", response: moved)
        server.on(.get, path: "/c/1", response: .json(#"{"count":1}"#).header(.eTag, value: "\"1\""))
        server.on(.put, path: "/c", response: isWriteRedirected ? moved : .status(.noContent))
        server.on(.put, path: "/c/1", response: .status(.noContent))
        let value = try await APIClient.scripted(server).update("c", as: Counter.self) { $0.count += 1 }.value()
        #expect(value.count == 2)
        #expect(server.requests.last?.path == (isWriteRedirected ? "/c/1" : "/c"))
        #expect(server.requests.last?.head.headerFields[.ifMatch] == "\"1\"")
    }

    @Test("A read that another origin led back is not written back")
    func thereAndBack() async throws {
        let server = StubServer()
        server.on(
            .get, path: "https://api.test/c",
            response: .status(.found).header(.location, value: "https://other.test/c"))
        server.on(
            .get, path: "https://other.test/c",
            response: .status(.found).header(.location, value: "https://api.test/chosen"))
        server.on("https://api.test/chosen", response: .json(#"{"count":1}"#).header(.eTag, value: "\"1\""))
        server.on(.put, path: "https://api.test/c", response: .status(.noContent))
        let error = try await #require(throws: NetworkError.self) {
            try await APIClient.scripted(server).update("c", as: Counter.self) { $0.count += 1 }.value()
        }
        #expect((error.underlyingError as? EntityTagError)?.reason == .anotherOrigin)
        #expect(!server.requests.contains { $0.method == .put })
    }

    @Test("It reads from the server if the strategy prefers outdated responses of a cache")
    func outdatedCache() async throws {
        let version = SharedState(1)
        let server = StubServer()
        server.on(.get, path: "/c") { _ in
            let version = version.withLock { $0 }
            return .json(#"{"count":\#(version)}"#).header(.eTag, value: "\"\(version)\"")
                .header(.cacheControl, value: "max-age=3600")
        }
        server.on(.put, path: "/c") { request in
            let tag = "\"\(version.withLock { $0 })\""
            return .status(request.head.headerFields[.ifMatch] == tag ? .noContent : .preconditionFailed)
        }
        let client = APIClient.scripted(server) {
            $0.caching.httpCache = HTTPCache(CacheConfiguration(diskCapacity: 0))
            $0.caching.strategy = .returnCacheDataElseLoad
        }
        for _ in 0..<2 { try await client.call(.get, "c").void() }
        #expect(server.requestCount == 1)
        version.withLock { $0 = 2 }
        #expect(try await client.update("c", as: Counter.self) { $0.count += 1 }.value().count == 3)
    }

    @Test("A tag with bytes that are not UTF-8 is not strong, because it cannot be sent back")
    func rawTag() async throws {
        let server = StubServer { _ in
            var response = StubResponse.json(#"{"count":1}"#)
            response.headerFields.append(HTTPField(name: .eTag, value: [0x22, 0xE9, 0x22] as [UInt8]))
            return response
        }
        let error = try await #require(throws: NetworkError.self) {
            try await APIClient.scripted(server).update("c", as: Counter.self) { $0.count += 1 }.value()
        }
        #expect((error.underlyingError as? EntityTagError)?.reason == .noStrongTag)
        #expect(server.requestCount == 1)
    }

    @Test("An error of the read, of decoding and of the change ends the call")
    func errors() async throws {
        struct Refused: Error {}
        let missing = StubServer { _ in .status(.notFound) }
        let notFound = try await #require(throws: NetworkError.self) {
            try await APIClient.scripted(missing).update("c", as: Counter.self) { $0.count += 1 }.value()
        }
        #expect(notFound.statusCode == 404)
        let wrong = StubServer { _ in .json(#"{"count":"x"}"#).header(.eTag, value: "\"1\"") }
        let undecodable = try await #require(throws: NetworkError.self) {
            try await APIClient.scripted(wrong).update("c", as: Counter.self) { $0.count += 1 }.value()
        }
        guard case .decodingError = undecodable else { throw undecodable }
        let resource = Resource()
        let refused = try await #require(throws: NetworkError.self) {
            try await APIClient.scripted(resource.server).update("c", as: Counter.self) { _ in throw Refused() }.value()
        }
        #expect(refused.underlyingError is Refused)
        #expect(resource.requests == ["GET"])
    }

    @Test("Parallel updates of one resource lose none")
    func parallel() async throws {
        let resource = Resource()
        let client = APIClient.scripted(resource.server)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    _ = try await client.update("c", as: Counter.self, attempts: 100) { $0.count += 1 }.value()
                }
            }
            try await group.waitForAll()
        }
        #expect(resource.state.withLock { $0.count } == 8)
    }

    private final class Counts: Sendable {
        private let count = SharedState(0)
        func add() { count.withLock { $0 += 1 } }
        var value: Int { count.withLock { $0 } }
    }
}
