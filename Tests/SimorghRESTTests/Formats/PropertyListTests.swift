// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghREST
import SimorghTesting
import TestSupport
import Testing

@Suite("BodyCodec.propertyList", .timeLimit(.minutes(5)))
struct PropertyListTests {
    private struct Bird: Codable, Equatable, Sendable {
        var name: String
        var count = 0
    }

    /// A value of any kind that a property list can hold.
    private indirect enum Value: Codable, Equatable, Sendable {
        case text(String), integer(Int64), real(Double), flag(Bool), bytes(Data), date(Date)
        case list([Value]), members([String: Value])

        static func random(depth: Int, _ numbers: inout SeededNumbers) -> Value {
            let kinds = depth == 0 ? 6 : 8
            let count = Int.random(in: 0...4, using: &numbers)
            switch Int.random(in: 0..<kinds, using: &numbers) {
            case 0: return .text(text(&numbers))
            case 1: return .integer(Int64(bitPattern: numbers.next()) >> Int64.random(in: 0...63, using: &numbers))
            case 2: return .real(Double.random(in: -1e9...1e9, using: &numbers))
            case 3: return .flag(Bool.random(using: &numbers))
            case 4: return .bytes(Data(numbers.bytes(count * 7)))
            case 5:
                // XML has whole seconds.
                return .date(Date(timeIntervalSince1970: Double(Int.random(in: 0...2_000_000_000, using: &numbers))))
            case 6: return .list((0..<count).map { _ in random(depth: depth - 1, &numbers) })
            default:
                let members = (0..<count).map { ("\($0)" + text(&numbers), random(depth: depth - 1, &numbers)) }
                return .members(Dictionary(members) { first, _ in first })
            }
        }

        private static func text(_ numbers: inout SeededNumbers) -> String {
            let letters = Array("ab<>&\"']]> \t\nقé🦅-!?[")
            let count = Int.random(in: 0...12, using: &numbers)
            return String((0..<count).compactMap { _ in letters.randomElement(using: &numbers) })
        }
    }

    @Test("Random values survive both formats, and each codec reads the other's", arguments: [1, 2, 3, 4] as [UInt64])
    func random(seed: UInt64) async throws {
        var numbers = SeededNumbers(seed)
        let server = StubServer()
        server.on(.post, path: "/echo") { request in
            .bytes(request.body, contentType: request.header(.contentType) ?? "")
        }
        let codecs = [BodyCodec.propertyList, .binaryPropertyList]
        for turn in 0..<100 {
            let value = [Value.random(depth: 4, &numbers)]
            for codec in codecs {
                for other in codecs {
                    let client = APIClient.scripted(server) { $0.codecs = [other] }
                    let body = RequestBody(encodable: value, contentType: codec.mediaTypes[0])
                    let echo = try await client.call(.post, "echo", body: body).with { $0.codecs = [codec] }.data()
                    let back = try await client.call(.post, "echo", body: .bytes(echo)).decode([Value].self)
                    #expect(back == value, "seed \(seed), turn \(turn)")
                }
            }
        }
    }

    @Test("The bytes and the fields are those of the format")
    func fields() async throws {
        let server = StubServer()
        server.on("/b") { .bytes($0.body, contentType: "Application/X-PList; charset=UTF-8") }
        let client = APIClient.scripted(server) { $0.codecs = [.propertyList, .binaryPropertyList.weighted(0.5)] }
        let xml: Bird = try await client.post("b", body: RequestBody(encodable: Bird(name: "zal")))
        #expect(xml == Bird(name: "zal"))
        let request = try #require(server.requests.last)
        #expect(request.text.hasPrefix("<?xml") && request.header(.contentType) == "application/x-plist")
        let accept = "application/x-plist, application/x-apple-plist, "
        #expect(
            request.header(.accept)
                == accept + "application/x-bplist;q=0.5, application/x-apple-binary-plist;q=0.5")
        let body = RequestBody(encodable: Bird(name: "zal"), contentType: "application/x-bplist")
        #expect(try await client.post("b", body: body) == Bird(name: "zal"))
        #expect(server.requests.last?.body.starts(with: Data("bplist00".utf8)) == true)
    }

    @Test(
        "A value without a property list is an invalid request",
        arguments: [BodyCodec.propertyList, .binaryPropertyList])
    func fragment(codec: BodyCodec) async throws {
        let client = APIClient.scripted(StubServer()) { $0.codecs = [codec] }
        let error = await #expect(throws: NetworkError.self) {
            try await client.post("b", body: RequestBody(encodable: 7))
        }
        guard case .invalidRequest = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect("\(String(describing: error))".contains("the body cannot be encoded as \(codec.mediaTypes[0])"))
    }

    @Test("Pages are decoded by the codecs; a cursor at a key path needs JSON")
    func pages() async throws {
        let server = StubServer()
        server.on("/birds") { request in
            let page = request.query.first { $0.name == "page" }?.value ?? "1"
            let bytes = try PropertyListEncoder().encode([Bird(name: page)])
            let answer = StubResponse.bytes(bytes, contentType: "application/x-plist")
            return page == "1" ? answer.header(.link, value: "</birds?page=2>; rel=\"next\"") : answer
        }
        let client = APIClient.scripted(server) { $0.codecs = [.json, .propertyList] }
        let birds = try await client.pages(of: Bird.self, "birds", by: .linkHeader).elements.collect()
        #expect(birds == [Bird(name: "1"), Bird(name: "2")])
        #expect(server.requests.allSatisfy { $0.header(.accept)?.contains("application/x-plist") == true })
        let error = await #expect(throws: NetworkError.self) {
            _ = try await client.pages(of: Bird.self, "birds", by: .cursor(at: "next")).elements.collect()
        }
        #expect("\(String(describing: error))".contains("A key path needs JSON"))
    }

    @Test("A Content-Type of the caller selects the codec of the write, and is not sent with the read")
    func updateAs() async throws {
        let server = StubServer()
        server.on(.get, path: "/b", response: .json(#"{"name":"zal","count":1}"#).header(.eTag, value: "\"1\""))
        server.on(.put, path: "/b", response: .status(.noContent))
        let client = APIClient.scripted(server) { $0.codecs = [.json, .propertyList] }
        let type = "application/x-apple-plist"
        let call = client.update("b", as: Bird.self, headers: ["Content-Type": type]) { $0.count += 1 }
        #expect(try await call.value() == Bird(name: "zal", count: 2))
        #expect(server.requests.map { $0.header(.contentType) } == [nil, type])
        let body = try #require(server.requests.last).body
        #expect(try PropertyListDecoder().decode(Bird.self, from: body) == Bird(name: "zal", count: 2))
    }

    @Test(
        "update writes the format that it read, and reads its own value after a response without a body",
        arguments: [UpdateMethod.put, .mergePatch, .jsonPatch], ["application/x-bplist", "application/json", ""])
    func update(method: UpdateMethod, type: String) async throws {
        let server = StubServer()
        server.on(.get, path: "/b") { _ in
            let old = Bird(name: "zal", count: 1)
            let json = type == "application/json"
            let bytes = try json ? JSONEncoder().encode(old) : PropertyListEncoder().encode(old)
            return .bytes(bytes, contentType: type).header(.eTag, value: "\"1\"")
        }
        for verb in [HTTPRequest.Method.put, .patch] { server.on(verb, path: "/b", response: .status(.noContent)) }
        let client = APIClient.scripted(server) { $0.codecs = [.propertyList, .binaryPropertyList] }
        let value = try await client.update("b", as: Bird.self, by: method) { $0.count += 1 }.value()
        #expect(value == Bird(name: "zal", count: 2))
        let write = try #require(server.requests.last)
        switch (method, type) {
        case (.put, "application/json"):
            #expect(write.header(.contentType) == type)
            #expect(try write.json(Bird.self) == value)
        case (.put, _):
            #expect(write.header(.contentType) == (type.isEmpty ? "application/x-plist" : type))
            #expect(try PropertyListDecoder().decode(Bird.self, from: write.body) == value)
        default: #expect(write.text.contains("\"count\":2") || write.text.contains("\"value\":2"))
        }
    }
}
