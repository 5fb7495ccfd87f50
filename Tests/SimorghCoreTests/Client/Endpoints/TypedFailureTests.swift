// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(10)))
struct TypedFailureTests {
    typealias UserRequest = APIRequest<User, Refusal>
    typealias Command = APIRequest<Void, Refusal>

    func outcome(_ answer: StubResponse) async -> Result<User, APIClientError<Refusal>> {
        let client = APIClient.scripted(StubServer { _ in answer })
        return await client.result(for: UserRequest.get("/users/7"))
    }

    @Test("SN1: status 200 with the model returns the value")
    func success() async throws {
        #expect(try await outcome(.json(#"{"id":7,"name":"Zal"}"#)).get() == User(id: 7, name: "Zal"))
    }

    @Test("SN1: status 200 with another body is a decoding error")
    func decoding() async throws {
        guard case .failure(.decodingError(let error)) = await outcome(.json(#"{"id":"x"}"#)) else {
            Issue.record("no decoding error")
            return
        }
        #expect(error.statusCode == 200)
    }

    @Test(
        "SN1: a refused status is an apiError with the status, and with the error model if the body has it",
        arguments: [
            (
                StubResponse.json(#"{"code":34,"message":"gone"}"#, status: .notFound), 404,
                Optional(Refusal(code: 34, message: "gone"))
            ),
            (.status(.notFound), 404, Refusal?.none),
            (.text("<h1>502</h1>", status: .badGateway), 502, Refusal?.none),
        ])
    func refusal(answer: StubResponse, status: Int, model: Refusal?) async throws {
        guard case .failure(.apiError(let error)) = await outcome(answer) else {
            Issue.record("no refusal")
            return
        }
        #expect(error.statusCode == status)
        #expect(error.error == model)
        #expect(error.response.url == "https://api.test/users/7")
    }

    @Test("SN1: a request without a response is a loading error")
    func loading() async throws {
        guard case .failure(.loadingError(.urlError(let error))) = await outcome(.timedOut(.connect)) else {
            Issue.record("no loading error")
            return
        }
        #expect(error.code == .timedOut)
        #expect(error.phase == .connect)
        #expect(error.method == "GET")
        #expect(error.url == "https://api.test/users/7")
    }

    @Test(
        "SN2, SN3: each factory creates exactly its request",
        arguments: [
            (UserRequest.get("/u", parameters: ["b": 2, "a": "x"]), "GET /u?a=x&b=2", false),
            (.post("/u", parameters: ["b": 2, "a": "x"]), "POST /u?a=x&b=2", false),
            (.put("/u", parameters: ["a": 1]), "PUT /u?a=1", false),
            (.delete("/u", parameters: ["a": 1]), "DELETE /u?a=1", false),
            (.post("/u", body: User(id: 1, name: "n")), "POST /u", true),
            (.put("/u", body: User(id: 1, name: "n")), "PUT /u", true),
            (.patch("/u", body: User(id: 1, name: "n")), "PATCH /u", true),
            (.delete("/u", body: User(id: 1, name: "n")), "DELETE /u", true),
        ])
    func factories(request: UserRequest, line: String, hasBody: Bool) async throws {
        let transport = StubServer { _ in .json(#"{"id":7,"name":"Zal"}"#) }
        _ = try await APIClient.scripted(transport).response(for: request)
        try await check(transport, line: line, hasBody: hasBody)
    }

    @Test(
        "SN2: each factory without a value creates exactly its request",
        arguments: [
            (Command.post("/u", parameters: ["a": 1]), "POST /u?a=1", false),
            (.put("/u", parameters: ["a": 1]), "PUT /u?a=1", false),
            (.delete("/u", parameters: ["a": 1]), "DELETE /u?a=1", false),
            (.post("/u", body: User(id: 1, name: "n")), "POST /u", true),
            (.put("/u", body: User(id: 1, name: "n")), "PUT /u", true),
            (.patch("/u", body: User(id: 1, name: "n")), "PATCH /u", true),
            (.delete("/u", body: User(id: 1, name: "n")), "DELETE /u", true),
        ])
    func commands(request: Command, line: String, hasBody: Bool) async throws {
        let transport = StubServer { _ in .status(.noContent) }
        try await APIClient.scripted(transport).response(for: request)
        try await check(transport, line: line, hasBody: hasBody)
    }

    private func check(_ transport: StubServer, line: String, hasBody: Bool) async throws {
        let sent = try await transport.request(at: 0)
        #expect("\(sent.method.rawValue) \(sent.head.path ?? "")" == line)
        #expect(sent.header(.accept) == "application/json")
        #expect(sent.header(.contentType) == (hasBody ? "application/json" : nil))
        #expect(try hasBody ? sent.json(User.self) == User(id: 1, name: "n") : sent.body.isEmpty)
    }

    @Test("SN3: the client's parameters come first, sorted; the request's header fields override the client's")
    func clientDefaults() async throws {
        let transport = StubServer { _ in .json(#"{"id":7,"name":"Zal"}"#) }
        var configuration = APIClientConfiguration(
            additionalHeaders: ["X-Key": "client", "accept": "text/x"],
            additionalParameters: ["language": "es", "api_key": "k"]
        )
        configuration.baseURL = "https://api.test/3"
        let client = APIClient(configuration: configuration, transport: transport)
        _ = try await client.response(
            for: UserRequest.get("/movie", headers: ["x-key": "call"], parameters: ["page": 2]))
        let sent = try await transport.request(at: 0)
        #expect(sent.url == "https://api.test/3/movie?api_key=k&language=es&page=2")
        #expect(sent.head.headerFields.filter { $0.name.canonicalName == "x-key" }.map(\.value) == ["call"])
        #expect(sent.head.headerFields[values: .accept] == ["application/json"])
    }
}
