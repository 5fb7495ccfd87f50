// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghREST
import SimorghTesting
import Testing

@Suite("Changes that APIClient.update writes", .timeLimit(.minutes(5)))
struct ValueChangeTests {
    private struct Price: Codable, Sendable {
        var amount: Decimal
        var note: String
        var notes: [String]?
    }

    /// Returns a server with a price whose amount has more digits than a `Double`.
    private static func server(note: String = "x") -> StubServer {
        let server = StubServer()
        let body = #"{"amount":90071992547409931.01,"note":"\#(note)"}"#
        server.on(.get, path: "/p", response: .json(body).header(.eTag, value: "\"1\""))
        for method in [HTTPRequest.Method.put, .patch] { server.on(method, path: "/p", response: .status(.noContent)) }
        return server
    }

    private static let amount = Decimal(string: "90071992547409931.02")

    @Test("PUT writes a change of the last digits of a long number")
    func digits() async throws {
        let server = Self.server()
        let amount = try #require(Self.amount)
        _ = try await APIClient.scripted(server).update("p", as: Price.self) { $0.amount = amount }.value()
        #expect(server.requests.map(\.method) == [.get, .put])
        #expect(server.requests.last?.text.contains("90071992547409931.02") == true)
    }

    @Test("PUT writes a change of the Unicode normalization")
    func normalization() async throws {
        let server = Self.server(note: "e\u{301}")
        _ = try await APIClient.scripted(server).update("p", as: Price.self) { $0.note = "\u{E9}" }.value()
        #expect(server.requests.map(\.method) == [.get, .put])
        // The first byte of U+00E9; the other form is two characters, e and U+0301.
        #expect(server.requests.last.map { Array($0.body).contains(0xC3) } == true)
    }

    @Test(
        "A change that a patch cannot express exactly is refused, and never written in part",
        arguments: [UpdateMethod.mergePatch, .jsonPatch], ["digits", "normalization", "rounding"])
    func inexact(method: UpdateMethod, change: String) async throws {
        let server = Self.server(note: "e\u{301}")
        let amount = try #require(Self.amount)
        let error = try await #require(throws: NetworkError.self) {
            try await APIClient.scripted(server).update("p", as: Price.self, by: method) { price in
                // A difference that the patch could express goes with it.
                price.notes = ["new"]
                switch change {
                case "digits": price.amount = amount
                case "normalization": price.note = "\u{E9}"
                default: price.amount = amount * 10
                }
            }.value()
        }
        guard case .invalidRequest(let cause, _) = error else { throw error }
        #expect(cause.reason == .encodingFailed)
        #expect(server.requests.map(\.method) == [.get])
    }

    @Test("A patch of another member leaves a long number alone", arguments: [UpdateMethod.mergePatch, .jsonPatch])
    func others(method: UpdateMethod) async throws {
        let server = Self.server()
        _ = try await APIClient.scripted(server).update("p", as: Price.self, by: method) { $0.note = "y" }.value()
        let sent = try JSON(parsing: try #require(server.requests.last).body)
        let expected: JSON =
            method == .mergePatch ? ["note": "y"] : [["op": "replace", "path": "/note", "value": "y"]]
        #expect(sent == expected)
    }

    private struct Numbers: Codable, Sendable {
        var large = 1e300
        var small = 1e-300
        var tenth = 0.1
        var third = 1.0 / 3
        var float: Float = 0.1
        var whole = 2.0
        var signed = Int64.min
        var unsigned = UInt64.max
        var price = Decimal(string: "19.99")
        var list = [1.5, 1e21]
        var members = ["a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6]
    }

    private static func numbers() throws -> StubServer {
        let server = StubServer()
        let body = String(decoding: try JSONEncoder().encode(Numbers()), as: UTF8.self)
        server.on(.get, path: "/n", response: .json(body).header(.eTag, value: "\"1\""))
        server.on(.patch, path: "/n", response: .status(.noContent))
        return server
    }

    @Test("Numbers of all types that stay are no change, in whatever order the encoder writes the members")
    func unchanged() async throws {
        let server = try Self.numbers()
        for _ in 0..<20 {
            _ = try await APIClient.scripted(server).update("n", as: Numbers.self) { _ in }.value()
        }
        #expect(server.requests.allSatisfy { $0.method == .get })
    }

    @Test("Numbers of all types can be changed by a patch", arguments: [UpdateMethod.mergePatch, .jsonPatch])
    func changed(method: UpdateMethod) async throws {
        let server = try Self.numbers()
        let price = Decimal(string: "20.01")
        _ = try await APIClient.scripted(server).update("n", as: Numbers.self, by: method) { numbers in
            numbers.large = 1.7e308
            numbers.small = .leastNonzeroMagnitude
            numbers.tenth = 1e20
            numbers.third = 2.0 / 3
            numbers.float = 1e-7
            numbers.whole = 3
            numbers.signed = Int64.max
            numbers.unsigned = UInt64.max - 1
            numbers.price = price
            numbers.list = [0.3, 1e-21, 7]
            numbers.members["g"] = 7
        }.value()
        #expect(server.requests.map(\.method) == [.get, .patch])
    }
}
