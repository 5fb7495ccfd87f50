// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HttpbinTests {
    struct Echo: Decodable, Sendable {
        var args: [String: JSON]
        var headers: [String: String]
        var url: String
        var data: String?
        var form: [String: JSON]?
        var json: JSON?
    }

    let client: APIClient

    init() throws { client = APIClient(baseURL: try Witness.httpbin.url) }

    @Test("Each verb reaches the server with its body", arguments: [RequestMethod.post, .put, .patch, .delete])
    func verbs(method: RequestMethod) async throws {
        let echo: Echo = try await client.call(method, method.rawValue.lowercased(), body: .json(["name": "Zal é"]))
            .decode()
        #expect(echo.json == ["name": "Zal é"])
        #expect(echo.headers["Content-Type"] == "application/json")
        #expect(echo.headers["Content-Length"] == "\(#"{"name":"Zal é"}"#.utf8.count)")
        #expect(echo.headers["User-Agent"]?.hasPrefix("Simorgh/") == true)
    }

    @Test("SIM3: query values are echoed unchanged")
    func query() async throws {
        let values = ["a&b=c", "1+1", "100%", "é ü", "#?/:@", "'\"<>\\", "%26", ""]
        let items = values.enumerated().map { QueryItem(name: "k[\($0.offset)]&", value: $0.element) }
        let echo: Echo = try await client.get("get", query: QueryItems(items))
        for (index, value) in values.enumerated() {
            #expect(echo.args["k[\(index)]&"] == .string(value))
        }
        #expect(echo.args.count == values.count)
    }

    @Test("NET12: form values of an Encodable model are echoed unchanged, a Bool as true")
    func form() async throws {
        struct Login: Encodable { var name: String, stay: Bool, count: Int, nested: [String: String] }
        let login = Login(name: "a b&c=d+e%é", stay: true, count: 1, nested: ["x&": "y="])
        let echo: Echo = try await client.post("post", body: .form(login))
        #expect(
            echo.form == ["name": .string("a b&c=d+e%é"), "stay": "true", "count": "1", "nested[x&]": "y="])
    }

    @Test("A stream of known length, a stream of unknown length and a file are sent completely")
    func uploads() async throws {
        let text = String(repeating: "0123456789abcdef", count: 20_000)
        let path = NSTemporaryDirectory() + "simorgh-\(UUID().uuidString)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let bodies: [RequestBody] = [
            .stream(length: Int64(text.utf8.count), contentType: "text/plain") { Pieces(text: text) },
            .stream(contentType: "text/plain") { Pieces(text: text) },
            try .file(path, contentType: "text/plain"),
        ]
        for body in bodies {
            let echo: Echo = try await client.post("post", body: body)
            #expect(echo.data == text)
        }
    }

    @Test("gzip and deflate are requested and decompressed", arguments: ["gzip", "deflate"])
    func compression(path: String) async throws {
        let json = try await client.call(.get, path).json()
        #expect(json[path == "gzip" ? "gzipped" : "deflated"] == true)
    }

    @Test("An unaccepted status code is an error with that code", arguments: [400, 404, 418, 500, 503])
    func statuses(status: Int) async throws {
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "status/\(status)").void() }
        #expect(error?.statusCode == status)
        #expect(error?.isRetryable == (status >= 500))
    }

    @Test("Basic credentials in a header field are accepted")
    func basic() async throws {
        let headers = HeaderHandler.shared
            .addAuthorizationHeader(type: .basic(username: "user", password: "p:ss"))
            .build()
        let json = try await client.call(.get, "basic-auth/user/p:ss", headers: headers).json()
        #expect(json["authenticated"] == true)
    }

    @Test("A stream of JSON lines arrives in order")
    func stream() async throws {
        let response = try await client.call(.get, "stream/5").stream()
        #expect(response.statusCode == 200)
        var text = ""
        for try await chunk in response.chunks { text += String(decoding: chunk, as: UTF8.self) }
        let ids = try text.split(separator: "\n").map { try JSON(parsing: Data($0.utf8))["id"] }
        #expect(ids == [0, 1, 2, 3, 4])
    }

    @Test("A binary body arrives completely")
    func bytes() async throws {
        let first = try await client.call(.get, "stream-bytes/100000", query: ["seed": 7]).data()
        let second = try await client.call(.get, "stream-bytes/100000", query: ["seed": 7]).data()
        #expect(first.count == 100_000)
        #expect(first == second)
    }

    @Test("Multipart fields and files are echoed unchanged")
    func multipart() async throws {
        struct Parts: Decodable { var form: [String: String], files: [String: String] }
        let fields: [MultipartFormField] = [
            .text(name: "plain", value: "é & =\r\n+"),
            .file(name: "note", data: Data("hello".utf8), fileName: "a \"b\".txt", mimeType: "text/plain"),
        ]
        let parts: Parts = try await client.post("post", body: try .multipart(fields))
        #expect(parts.form == ["plain": "é & =\r\n+"])
        #expect(parts.files == ["note": "hello"])
    }
}

/// A text in chunks of 10,000 bytes.
struct Pieces: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error
    let text: String

    struct Iterator: AsyncIteratorProtocol {
        var rest: Data
        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            guard !rest.isEmpty else { return nil }
            defer { rest = Data(rest.dropFirst(10_000)) }
            return Data(rest.prefix(10_000))
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: Data(text.utf8)) }
}
