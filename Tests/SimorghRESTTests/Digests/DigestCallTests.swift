// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghNIO
import SimorghREST
import SimorghTesting
import TestSupport
import Testing

@Suite("Calls with digests", .timeLimit(.minutes(5)))
struct DigestCallTests {
    private static let content = Data("{\"hello\": \"world\"}\n".utf8)
    private static let good = ContentDigest(of: content).description
    private static let bad = ContentDigest(of: Data("x".utf8)).description
    private static let contentDigest = HTTPField.Name("Content-Digest")
    private static let reprDigest = HTTPField.Name("Repr-Digest")

    private func digestError(_ error: any Error) -> ContentDigestError? {
        (error as? NetworkError)?.underlyingError as? ContentDigestError ?? error as? ContentDigestError
    }

    @Test("A body in memory, a file and a form send the digest of their bytes, also after a redirect")
    func bodies() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "digest-\(UUID())")
        try Data(repeating: 7, count: 300_000).write(to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = StubServer()
        server.on("/moved", response: .status(.temporaryRedirect).header(.location, value: "/a"))
        server.on("/a", response: .status(.noContent))
        let client = APIClient.scripted(server)
        let bodies: [RequestBody] = [
            .bytes(Self.content), .json(["hello": "world"]), try .file(folder.path),
            try .form([.text(name: "a", value: "b"), .filePath(name: "f", path: folder.path)]),
            .bytes(Data()),
        ]
        for body in bodies {
            try await client.call(.put, "moved", body: body).sendsDigest(.sha512, fields: [.content, .representation])
                .void()
            let request = try #require(server.requests.last)
            #expect(request.path == "/a")
            let wanted = ContentDigest(of: request.body, by: .sha512).description
            #expect(request.head.headerFields[try #require(Self.contentDigest)] == wanted)
            #expect(request.head.headerFields[try #require(Self.reprDigest)] == wanted)
        }
        try await client.call(.get, "a").sendsDigest().void()
        #expect(server.requests.last?.head.headerFields[try #require(Self.contentDigest)] == nil)
    }

    @Test("A body whose digest is not known in advance is refused before anything is sent")
    func unknown() async throws {
        let server = StubServer { _ in .status(.noContent) }
        let client = APIClient.scripted(server)
        let once = RequestBody.once(OneChunk(data: Self.content))
        let calls = [
            client.call(.put, "a", body: once).sendsDigest(),
            client.call(.put, "a", body: RequestBody.bytes(Self.content).compressed(.gzip)).sendsDigest(),
            client.call(.put, "a", headers: ["Content-Range": "bytes 0-1/9"], body: .bytes(Self.content))
                .sendsDigest(fields: [.representation]),
        ]
        for call in calls {
            let error = try await #require(throws: NetworkError.self) { try await call.void() }
            guard case .invalidRequest = error else { throw error }
        }
        #expect(server.requestCount == 0)
    }

    @Test("A stream sends its digest in the trailer", arguments: [true, false])
    func trailer(isReplayable: Bool) async throws {
        try await MockServer.with { server in
            server.on("/a") { _ in .status(.noContent) }
            let client = APIClient(configuration: .init(), transport: NIOTransport.shared)
            let chunk = OneChunk(data: Self.content)
            let body: RequestBody = isReplayable ? .stream { chunk } : .once(chunk)
            try await client.call(.put, server.url + "/a", body: body).sendsDigest(inTrailer: true).void()
            let request = try #require(server.requests.first)
            #expect(request.body == Self.content)
            #expect(request.arrival?.trailers[try #require(Self.contentDigest)] == Self.good)
            #expect(request.head.headerFields[.trailer] == "Content-Digest")
        }
    }

    @Test("A response with the right digest is returned, one with a wrong one is an error that names both")
    func verified() async throws {
        let name = try #require(Self.contentDigest)
        let server = StubServer()
        server.on("/good", response: .bytes(Self.content).header(name, value: Self.good))
        server.on("/bad", response: .bytes(Self.content).header(name, value: Self.bad))
        server.on("/none", response: .bytes(Self.content))
        server.on("/malformed", response: .bytes(Self.content).header(name, value: "sha-256=x"))
        server.on("/weak", response: .bytes(Self.content).header(name, value: "md5=:AAAA:"))
        let client = APIClient.scripted(server)
        #expect(try await client.call(.get, "good").verifiesDigest(isRequired: true).data() == Self.content)
        #expect(try await client.call(.get, "none").verifiesDigest().data() == Self.content)
        #expect(try await client.call(.get, "weak").verifiesDigest().data() == Self.content)
        #expect(try await client.call(.get, "bad").data() == Self.content)
        let wrong = try await #require(throws: NetworkError.self) {
            try await client.call(.get, "bad").verifiesDigest().data()
        }
        #expect(digestError(wrong)?.reason == .mismatch)
        #expect(wrong.description.contains(Self.good) && wrong.description.contains(Self.bad))
        for (path, reason) in [
            ("malformed", ContentDigestError.Reason.malformedField), ("none", .missing), ("weak", .missing),
        ] {
            let error = try await #require(throws: NetworkError.self) {
                try await client.call(.get, path).verifiesDigest(isRequired: true).data()
            }
            #expect(digestError(error)?.reason == reason)
        }
    }

    @Test("The call asks for digests and for no compression; both can be left to the caller")
    func asks() async throws {
        let server = StubServer { _ in .status(.noContent) }
        let client = APIClient.scripted(server)
        try await client.call(.get, "a").verifiesDigest().void()
        try await client.call(.get, "a", headers: ["Accept-Encoding": "gzip"]).verifiesDigest(asksServer: false).void()
        let names = ["Want-Content-Digest", "Want-Repr-Digest", "Accept-Encoding"].compactMap { HTTPField.Name($0) }
        let sent = server.requests.map { request in names.map { request.head.headerFields[$0] } }
        #expect(sent[0] == ["sha-256=10, sha-512=3", "sha-256=10, sha-512=3", "identity"])
        #expect(sent[1] == [nil, nil, "gzip"])
    }

    @Test("Repr-Digest is verified, but not of a part, which has only its Content-Digest")
    func representation() async throws {
        let (content, repr) = (try #require(Self.contentDigest), try #require(Self.reprDigest))
        let server = StubServer()
        server.on("/whole", response: .bytes(Self.content).header(repr, value: Self.bad))
        server.on("/part", response: .bytes(Self.content, status: .partialContent).header(repr, value: Self.bad))
        server.on(
            "/both",
            response: .bytes(Self.content, status: .partialContent).header(repr, value: Self.bad).header(
                content, value: Self.good))
        let client = APIClient.scripted(server)
        let error = try await #require(throws: NetworkError.self) {
            try await client.call(.get, "whole").verifiesDigest().data()
        }
        #expect(digestError(error)?.field == .representation)
        #expect(try await client.call(.get, "part").verifiesDigest().data() == Self.content)
        #expect(try await client.call(.get, "both").verifiesDigest(isRequired: true).data() == Self.content)
    }

    @Test("HEAD, 204 and 304 have no content to verify", arguments: ["head", "204", "304"])
    func withoutContent(kind: String) async throws {
        let name = try #require(Self.contentDigest)
        let status: HTTPResponse.Status = kind == "204" ? .noContent : kind == "304" ? .notModified : .ok
        let server = StubServer { _ in .status(status).header(name, value: Self.good) }
        let call = APIClient.scripted(server).call(kind == "head" ? .head : .get, "a").verifiesDigest(isRequired: true)
        #expect(try await call.status().statusCode == status.code)
    }

    @Test("A redirect and an error need no digest, even if one is required")
    func others() async throws {
        let name = try #require(Self.contentDigest)
        let server = StubServer()
        server.on("/moved", response: .status(.found).header(.location, value: "/a"))
        server.on("/a", response: .bytes(Self.content).header(name, value: Self.good))
        server.on("/missing", response: .status(.notFound))
        let client = APIClient.scripted(server)
        #expect(try await client.call(.get, "moved").verifiesDigest(isRequired: true).data() == Self.content)
        let error = try await #require(throws: NetworkError.self) {
            try await client.call(.get, "missing").verifiesDigest(isRequired: true).data()
        }
        #expect(error.statusCode == 404)
    }

    @Test("A stream with a wrong digest throws at its end")
    func streams() async throws {
        let name = try #require(Self.contentDigest)
        let server = StubServer()
        let steps: [StubResponse.BodyStep] = [.bytes(Self.content.prefix(5)), .bytes(Self.content.dropFirst(5))]
        server.on("/good", response: .chunks(steps).header(name, value: Self.good))
        server.on("/bad", response: .chunks(steps).header(name, value: Self.bad))
        server.on("/none", response: .chunks(steps))
        let client = APIClient.scripted(server)
        func read(_ path: String, isRequired: Bool) async throws -> Data {
            var bytes = Data()
            for try await chunk in try await client.call(.get, path).verifiesDigest(isRequired: isRequired).stream()
                .chunks
            {
                bytes.append(chunk)
            }
            return bytes
        }
        #expect(try await read("good", isRequired: true) == Self.content)
        #expect(try await read("none", isRequired: false) == Self.content)
        for (path, reason) in [("bad", ContentDigestError.Reason.mismatch), ("none", .missing)] {
            do {
                _ = try await read(path, isRequired: true)
                Issue.record("\(path) was not refused")
            } catch {
                #expect(digestError(error)?.reason == reason, "\(error)")
            }
        }
    }

    @Test("A digest in the trailer is verified", arguments: [true, false])
    func trailers(isStreamed: Bool) async throws {
        let name = try #require(Self.contentDigest)
        try await MockServer.with { server in
            for (path, digest) in [("/good", Self.good), ("/bad", Self.bad)] {
                server.on(path) { _ in
                    .bytes(Self.content).header(.trailer, value: "Content-Digest").trailers([name: digest])
                }
            }
            let client = APIClient(configuration: .init(), transport: NIOTransport.shared)
            func read(_ path: String) async throws -> Data {
                let call = client.call(.get, server.url + path).verifiesDigest(isRequired: true)
                guard isStreamed else { return try await call.data() }
                var bytes = Data()
                for try await chunk in try await call.stream().chunks { bytes.append(chunk) }
                return bytes
            }
            let good = try await read("/good")
            #expect(good == Self.content)
            let error = try await #require(throws: (any Error).self) { try await read("/bad") }
            #expect(digestError(error)?.reason == .mismatch, "\(error)")
        }
    }

    @Test("A response that fails the verification is not stored")
    func cache() async throws {
        let name = try #require(Self.contentDigest)
        let answers = SharedState([Self.bad, Self.good])
        let server = StubServer { _ in
            .bytes(Self.content).header(.cacheControl, value: "max-age=3600")
                .header(name, value: answers.withLock { $0.isEmpty ? Self.bad : $0.removeFirst() })
        }
        let client = APIClient.scripted(server) {
            $0.caching.httpCache = HTTPCache(CacheConfiguration(diskCapacity: 0))
        }
        await #expect(throws: NetworkError.self) { try await client.call(.get, "a").verifiesDigest().data() }
        #expect(try await client.call(.get, "a").verifiesDigest().data() == Self.content)
        #expect(try await client.call(.get, "a").verifiesDigest().data() == Self.content)
        #expect(server.requestCount == 2)
    }

    /// A body of one chunk.
    private struct OneChunk: AsyncSequence, Sendable {
        let data: Data

        struct Iterator: AsyncIteratorProtocol {
            var rest: Data?
            mutating func next() async throws -> Data? { rest.take() }
        }

        func makeAsyncIterator() -> Iterator { Iterator(rest: data) }
    }
}
