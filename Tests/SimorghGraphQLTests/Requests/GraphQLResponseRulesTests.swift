// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghGraphQL
import SimorghSupport
import SimorghTesting
import Testing

@Suite("GraphQL over HTTP: status and media type", .timeLimit(.minutes(5)))
struct GraphQLResponseRulesTests {
    /// The result of a query.
    enum Outcome: Hashable, Sendable {
        case data, errors, both, status(Int), protocolError(GraphQLProtocolError.Reason), undecodable, empty
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var status: Int
        var type: String?
        var body: String
        var outcome: Outcome
        var testDescription: String { "\(status) \(type ?? "no type"): \(body)" }

        init(_ status: Int, _ type: String?, _ body: String, _ outcome: Outcome) {
            (self.status, self.type, self.body, self.outcome) = (status, type, body, outcome)
        }
    }

    private static let own = "application/graphql-response+json"
    private static let json = "application/json; charset=utf-8"
    private static let data = #"{"data":{"a":1}}"#
    private static let errors = #"{"errors":[{"message":"no"}]}"#
    private static let both = #"{"data":{"a":1},"errors":[{"message":"no","path":["b"]}]}"#

    static let cases = [
        Case(200, own, data, .data), Case(200, json, data, .data), Case(200, nil, data, .data),
        Case(200, "Application/JSON", data, .data), Case(200, "application/graphql+json", data, .data),
        Case(201, json, data, .data), Case(203, own, both, .both), Case(294, own, both, .both),
        Case(200, json, errors, .errors), Case(200, json, both, .both),
        // A status other than 2xx carries a response only in GraphQL's own media type.
        Case(400, own, errors, .errors), Case(422, own + "; charset=utf-8", errors, .errors),
        Case(500, own, both, .both), Case(401, own, errors, .errors), Case(404, own, data, .data),
        Case(400, json, errors, .status(400)), Case(500, json, both, .status(500)), Case(404, nil, data, .status(404)),
        Case(502, "text/html", "<html>", .status(502)), Case(400, own, "<html>", .status(400)),
        Case(400, own, "", .status(400)), Case(400, own, "{}", .status(400)), Case(304, own, "", .status(304)),
        // A success that is no GraphQL response.
        Case(200, "text/html", "<html>", .protocolError(.contentType)),
        Case(200, "text/plain", data, .protocolError(.contentType)),
        Case(200, json, "{}", .protocolError(.notAResponse)),
        Case(200, own, #"{"data":null}"#, .protocolError(.notAResponse)),
        Case(200, json, #"{"errors":[]}"#, .protocolError(.notAResponse)),
        Case(200, json, "[]", .undecodable), Case(200, json, "{", .undecodable), Case(200, own, "null", .undecodable),
        Case(200, json, #"{"data":{"a":"x"}}"#, .undecodable), Case(200, json, #"{"errors":"no"}"#, .undecodable),
        Case(200, json, "", .empty),
    ]

    private struct Answer: Decodable, Sendable { let a: Int }

    @Test("Each status and media type", arguments: cases)
    func table(each: Case) async {
        let fixture = GraphQLFixture { _ in
            var response = StubResponse.text(each.body, contentType: each.type ?? "", status: .init(code: each.status))
            if each.type == nil { response.headerFields[.contentType] = nil }
            return response
        }
        let outcome: Outcome
        do {
            let response = try await fixture.client.query("{ a }", as: Answer.self)
            outcome = response.data == nil ? .errors : response.errors.isEmpty ? .data : .both
        } catch let error as NetworkError {
            switch error {
            case .customError(let status, _): outcome = .status(status)
            case .decodingError: outcome = .undecodable
            case .emptyResponse: outcome = .empty
            default: outcome = GraphQLProtocolError.Reason(error).map(Outcome.protocolError) ?? .data
            }
        } catch {
            outcome = .data
        }
        #expect(outcome == each.outcome)
    }

    @Test("The errors of a body that is not a GraphQL response by its status can be read")
    func refusedErrors() async {
        let fixture = GraphQLFixture { _ in .json(Self.errors, status: .badRequest) }
        let error = await caught { _ = try await fixture.client.query("{ a }", as: Answer.self) }
        #expect(error?.graphQLErrors?.faults.map(\.message) == ["no"])
        let page = GraphQLFixture { _ in .text("<html>", status: .badGateway) }
        let other = await caught { _ = try await page.client.query("{ a }", as: Answer.self) }
        #expect(other?.statusCode == 502 && other?.graphQLErrors == nil)
    }

    @Test("The client's error decoder decodes a rejected response")
    func errorDecoder() async {
        struct Refusal: Error {}
        let fixture = GraphQLFixture(configure: { $0.validation.errorDecoder = { _ in Refusal() } }) { _ in
            .status(.forbidden)
        }
        let error = await caught { _ = try await fixture.client.query("{ a }", as: Answer.self) }
        #expect(error?.underlyingError is Refusal)
        #expect(error?.statusCode == 403)
    }

    @Test("The body of an error is bounded as for other calls")
    func errorBound() async {
        let fixture = GraphQLFixture(configure: { $0.maximumErrorBodyBytes = 10 }) { _ in
            .text(String(repeating: "x", count: 1000), status: .badGateway)
        }
        let error = await caught { _ = try await fixture.client.query("{ a }", as: Answer.self) }
        #expect(error?.responseData?.count == 10)
    }

    @Test("A response larger than the limit is an error")
    func responseBound() async {
        let fixture = GraphQLFixture(configure: { $0.maximumCollectedBytes = 10 }) { _ in .json(Self.both) }
        let error = await caught { _ = try await fixture.client.query("{ a }", as: Answer.self) }
        guard case .bodyTooLarge = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("JSON nested deeper than the limit is an error, not a crash")
    func depth() async {
        let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        let fixture = GraphQLFixture { _ in .json(#"{"data":{"a":1},"extensions":\#(deep)}"#) }
        let error = await caught { _ = try await fixture.client.query("{ a }", as: Answer.self) }
        #expect(error != nil)
    }
}
