// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import SimorghURLSession
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLRequest and URLSession bridges", .timeLimit(.minutes(5)))
struct BridgeTests {
    struct Search: NetworkRouter {
        struct Query: Codable { let q: String; let limit: Int }
        var baseURLString: String { "https://api.example.com" }
        var path: String { "/users/search" }
        var headers: [String: String]? { ["X-A": "1"] }
        var queryParams: Query? { Query(q: "a b", limit: 20) }
    }

    struct Create: NetworkRouter {
        struct Body: Codable { let name: String }
        var path: String { "users" }
        var method: RequestMethod? { .post }
        var params: Body? { Body(name: "Ada") }
        var version: APIVersion? { .v2 }
    }

    struct Sending: NetworkRequest {
        typealias Response = String
        var baseURLString: String { "https://api.example.com" }
        var method: RequestMethod? { .put }
        var body: RequestBody? { .text("hello") }
    }

    @Test("asURLRequest() converts an endpoint with its query and header fields")
    func query() throws {
        let request = try Search().asURLRequest()
        #expect(request.url?.absoluteString == "https://api.example.com/users/search?q=a%20b&limit=20")
        #expect(request.httpMethod == "GET")
        #expect(request.value(forHTTPHeaderField: "X-A") == "1")
        #expect(request.httpBody == nil)
    }

    @Test("asURLRequest(for:) includes the body, its media type, and the client's base URL and header fields")
    func body() throws {
        let client = APIClient(transport: StubServer { _ in .text("") }).with {
            $0.baseURL = "https://other.example/root"
            $0.headers = ["X-B": "2", "Content-Type": "text/none"]
        }
        let request = try Create().asURLRequest(for: client)
        #expect(request.url?.absoluteString == "https://other.example/root/v2/users")
        #expect(request.httpMethod == "POST")
        #expect(request.httpBody == Data(#"{"name":"Ada"}"#.utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(request.value(forHTTPHeaderField: "X-B") == "2")
        #expect(try Sending().asURLRequest().httpBody == Data("hello".utf8))
    }

    @Test("A request that cannot be a URLRequest throws InvalidRequestError")
    func refused() {
        #expect(throws: InvalidRequestError.self) { try Create().asURLRequest() }
        let request = TransportRequest(
            head: HTTPRequest(method: .post, scheme: "https", authority: "a.example", path: "/"),
            body: .stream { AsyncThrowingStream<Data, any Error> { $0.finish() } })
        #expect(throws: InvalidRequestError.self) { try URLRequest(request) }
    }

    /// A retry handler as in the reference documentation.
    struct Marking: RetryHandler {
        func shouldRetry(request: URLRequest, error: NetworkError) -> Bool {
            switch error {
            case .urlError(let error): error.code == .notConnectedToInternet || error.code == .timedOut
            case .customError(let code, _): code >= 500
            default: false
            }
        }

        func modifyRequestForRetry(
            client: APIClient, request: URLRequest, error: NetworkError
        ) -> (URLRequest, NetworkError?) {
            var request = request
            request.setValue("retry", forHTTPHeaderField: "X-Retry-Attempt")
            return (request, nil)
        }
    }

    @Test("A retry handler written for URLRequest is called, and its change of the request is sent")
    func handler() async throws {
        let mark = try #require(HTTPField.Name("X-Retry-Attempt"))
        let transport = StubServer { request in
            request.index == 0 ? .status(.badGateway) : .text(request.header(mark) ?? "")
        }
        let client = APIClient(transport: transport).with {
            $0.time = TestClock(movesItself: true).timeSource
            $0.retryHandler = Marking()
        }
        #expect(try await client.call(.get, "https://a.example/").data() == Data("retry".utf8))
        #expect(transport.requestCount == 2)
    }

    @Test("An unchanged shown URLRequest leaves the request unchanged")
    func unchanged() throws {
        var request = TransportRequest(
            head: HTTPRequest(method: .post, scheme: "https", authority: "a.example", path: "/x?y=%2F"),
            body: .text("hello"))
        request.head.headerFields.append(HTTPField(name: .accept, value: "a/b"))
        request.head.headerFields.append(HTTPField(name: .accept, value: "c/d"))
        let back = try URLRequest.shown(request).replacing(request)
        #expect(back.head == request.head)
        #expect(back.body.bytes == request.body.bytes)
        #expect(back.body.contentType == request.body.contentType)
    }

    @Test("Changes of a shown URLRequest are applied: URL, method, header fields and body")
    func changed() throws {
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/x"))
        request.head.headerFields[.accept] = "a/b"
        request.head.headerFields[.authorization] = "secret"
        var shown = try URLRequest.shown(request)
        shown.url = URL(string: "http://b.example:81/y?z=1")
        shown.httpMethod = "PUT"
        shown.httpBody = Data("new".utf8)
        shown.setValue("c/d", forHTTPHeaderField: "Accept")
        shown.setValue(nil, forHTTPHeaderField: "Authorization")
        let back = try shown.replacing(request)
        #expect(back.urlString == "http://b.example:81/y?z=1")
        #expect(back.head.method == .put)
        #expect(back.head.headerFields == [.accept: "c/d"])
        #expect(back.body.bytes == Data("new".utf8))
    }

    @Test("A client over a URLSession configuration works, and uses its header fields and timeouts")
    func client() async throws {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 30
        configuration.httpAdditionalHeaders = ["X-Session": "yes"]
        let client = APIClient(
            configuration: configuration, configurationDelegate: nil, qos: .userInitiated,
            defaultCacheStrategy: .useProtocolCachePolicy, decoder: JSONDecoder(),
            retryHandler: DefaultRetryHandler(numberOfRetries: 3))
        #expect(client.configuration.timeouts.head == .seconds(30))
        let server = try await SharedServer.value
        let answer = String(decoding: try await client.call(.get, server.url + "/headers").data(), as: UTF8.self)
        #expect(answer.lowercased().contains("x-session"))
        let changed = URLSessionConfiguration.default
        changed.timeoutIntervalForRequest = 20
        client.updateConfiguration(changed)
        #expect(client.configuration.timeouts.head == .seconds(20))
        _ = try await client.call(.get, server.url + "/get").data()
    }

    @Test("Each URLRequest cache policy maps to the CacheStrategy with the same name")
    func policies() {
        #expect(CacheStrategy(.useProtocolCachePolicy) == .useProtocolCachePolicy)
        #expect(CacheStrategy(.reloadIgnoringLocalCacheData) == .reloadIgnoringLocalCacheData)
        #expect(CacheStrategy(.returnCacheDataElseLoad) == .returnCacheDataElseLoad)
        #expect(CacheStrategy(.returnCacheDataDontLoad) == .returnCacheDataDontLoad)
    }
}
