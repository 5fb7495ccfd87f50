// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import SimorghURLSession
import Testing

@Suite("Reference: endpoints", .timeLimit(.minutes(5)))
struct QuickStartSnippets {
    struct GetUsersEndpoint: NetworkRouter {
        var baseURLString: String { "https://api.example.com" }
        var path: String { "/users" }
        var method: RequestMethod? { .get }
    }

    private static let users = [User(id: 1, name: "Ada"), User(id: 2, name: "Sima")]

    @Test("request() returns the decoded response")
    func awaited() async throws {
        let (client, transport) = Reference.client { _ in .json(Self.users) }
        let users: [User] = try await client.request(GetUsersEndpoint())
        #expect(users == Self.users)
        #expect(transport.requests.map(\.url) == ["https://api.example.com/users"])
        #expect(transport.requests.map(\.method) == [.get])
    }

    @Test("request() as a publisher delivers the decoded response")
    func published() async throws {
        let (client, _) = Reference.client { _ in .json(Self.users) }
        var cancellables = Set<AnyCancellable>()
        let shown = Shown()
        let print = { @Sendable (value: Any) in shown(value) }
        client.request(GetUsersEndpoint())
            .sink(
                receiveCompletion: { print($0) },
                receiveValue: { (users: [User]) in print(users) }
            )
            .store(in: &cancellables)
        try await shown.wait(for: 2)
        #expect(shown.all == ["\(Self.users)", "finished"])
    }

    struct SearchUsersEndpoint: NetworkRouter {
        struct Query: Codable { let q: String; let limit: Int }
        var baseURLString: String { "https://api.example.com" }
        var path: String { "/users/search" }
        var method: RequestMethod? { .get }
        var queryParams: Query? { Query(q: "alice", limit: 20) }
    }

    struct CreateUserEndpoint: NetworkRouter {
        struct Body: Codable { let name: String; let email: String }
        var baseURLString: String { "https://api.example.com" }
        var path: String { "/users" }
        var method: RequestMethod? { .post }
        var params: Body? { body }
        private let body: Body
        init(name: String, email: String) { body = Body(name: name, email: email) }
    }

    struct LoginEndpoint: NetworkRouter {
        struct Body: Codable { let username: String; let password: String }
        var baseURLString: String { "https://api.example.com" }
        var path: String { "/login" }
        var method: RequestMethod? { .post }
        var headers: [String: String]? { [ContentTypeHeaders.name: ContentTypeHeaders.formData.value] }
        var params: Body? { credentials }
        private let credentials: Body
        init(username: String, password: String) {
            credentials = Body(username: username, password: password)
        }
    }

    struct V2UsersEndpoint: NetworkRouter {
        var baseURLString: String { "https://api.example.com" }
        var version: APIVersion? { .v2 }  // inserts "/v2" into the path
        var path: String { "/users" }
        var method: RequestMethod? { .get }
    }

    @Test("Query, JSON, form and version are encoded as documented")
    func encodings() async throws {
        let (client, transport) = Reference.client { _ in .status(.noContent) }
        _ = try await client.call(SearchUsersEndpoint()).data()
        _ = try await client.call(CreateUserEndpoint(name: "Ada", email: "ada@example.com")).data()
        _ = try await client.call(LoginEndpoint(username: "ada", password: "a b&c")).data()
        _ = try await client.call(V2UsersEndpoint()).data()
        let requests = transport.requests
        #expect(
            requests.map(\.url) == [
                "https://api.example.com/users/search?q=alice&limit=20", "https://api.example.com/users",
                "https://api.example.com/login", "https://api.example.com/v2/users",
            ])
        #expect(requests[1].header(.contentType) == "application/json")
        #expect(try requests[1].json([String: String].self) == ["name": "Ada", "email": "ada@example.com"])
        #expect(requests[2].header(.contentType) == "application/x-www-form-urlencoded")
        #expect(requests[2].text == "username=ada&password=a%20b%26c")
    }

    @Test("asURLRequest builds a request")
    func manual() throws {
        let endpoint = SearchUsersEndpoint()
        let request = try endpoint.asURLRequest()
        #expect(request.url?.absoluteString == "https://api.example.com/users/search?q=alice&limit=20")
    }

    @Test("Every documented method exists, and is sent with its name")
    func methods() async throws {
        struct Asked: NetworkRouter {
            let method: RequestMethod?
            var baseURLString: String { "https://api.example.com" }
        }
        let (client, transport) = Reference.client { _ in .status(.noContent) }
        for method: RequestMethod in [.get, .post, .put, .patch, .delete, .head, .trace] {
            _ = try await client.call(Asked(method: method)).data()
        }
        #expect(
            transport.requests.map(\.method.rawValue) == ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "TRACE"])
    }
}
