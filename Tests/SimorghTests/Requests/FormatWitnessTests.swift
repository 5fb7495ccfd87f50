// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Simorgh
import Testing

/// Property lists against Python's plistlib (Tests/Peers/rest/formats.py).
@Suite("Formats beside JSON, with a real server", .timeLimit(.minutes(2)))
struct FormatWitnessTests {
    private struct Sample: Codable, Equatable, Sendable {
        var name = "simorgh"
        var birds = 30
        var wise = true
        var height = 1.5
        var tags = ["قاف", "&<>\"'", ""]
    }

    private func client(_ codecs: [BodyCodec]) throws -> APIClient {
        APIClient(baseURL: try Witness.formats.url).with { $0.codecs = codecs }
    }

    @Test(
        "The server and the client exchange values in the format with the largest weight",
        arguments: [
            ([.propertyList], "application/x-plist", "application/x-plist"),
            ([.binaryPropertyList], "application/x-bplist", "application/x-bplist"),
            ([.json], "application/json", "application/json"),
            ([.propertyList.weighted(0.3), .json], "application/x-plist", "application/json"),
            ([.json.weighted(0.5), .binaryPropertyList], "application/json", "application/x-bplist"),
        ] as [([BodyCodec], String, String)])
    func exchange(codecs: [BodyCodec], sent: String, received: String) async throws {
        let client = try client(codecs)
        #expect(try await client.get("sample") == Sample())
        let call = client.call(.post, "echo", body: RequestBody(encodable: Sample()))
        let echo = try await call.decoding(.decodable(Sample.self)).response()
        #expect(echo.value == Sample())
        #expect(echo.response.header("X-Received") == sent && echo.headers[.contentType] == received)
    }

    @Test("Dates and bytes of Python are those of Swift", arguments: [BodyCodec.propertyList, .binaryPropertyList])
    func dates(codec: BodyCodec) async throws {
        struct Values: Codable, Equatable, Sendable {
            var at = Date(timeIntervalSince1970: 1_700_000_000)
            var bytes = Data((0...255).map { UInt8($0) })
        }
        let client = try client([codec])
        #expect(try await client.post("echo", body: RequestBody(encodable: Values())) == Values())
    }

    @Test("A server that does not speak the format answers with 406 and 415")
    func refusals() async throws {
        let other = BodyCodec(mediaTypes: ["application/cbor"]) { _ in
            Data([0xF6])
        } decode: { _, _ in
            0
        }
        let client = try client([other])
        let read = await #expect(throws: NetworkError.self) { try await client.get("sample") as Sample }
        #expect(read?.statusCode == 406)
        let write = await #expect(throws: NetworkError.self) {
            try await client.post("echo", body: RequestBody(encodable: Sample()))
        }
        #expect(write?.statusCode == 415)
    }

    @Test("A wrong Content-Type is a decoding error, and one that no codec lists falls to the first codec")
    func wrongTypes() async throws {
        let client = try client([.propertyList, .json])
        let call = client.call(.post, "echo", query: ["as": "application/json"], body: RequestBody(encodable: Sample()))
        let error = await #expect(throws: NetworkError.self) { try await call.decode(Sample.self) }
        guard case .decodingError = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let text = client.call(.post, "echo", query: ["as": "text/plain"], body: RequestBody(encodable: Sample()))
        #expect(try await text.decode(Sample.self) == Sample())
    }

    @Test("The body of an error is decoded by its Content-Type")
    func errors() async throws {
        struct Failure: Decodable, Equatable { var code: Int, reason: String }
        for codec in [BodyCodec.propertyList, .binaryPropertyList, .json] {
            let client = try client([codec])
            let error = await #expect(throws: NetworkError.self) { try await client.get("error") as Sample }
            #expect(error?.statusCode == 422)
            #expect(try error?.response?.decode(Failure.self) == Failure(code: 7, reason: "unknown bird"))
        }
    }

    @Test("A cache keeps a response of each format")
    func cache() async throws {
        let cache = HTTPCache(CacheConfiguration(diskCapacity: 0))
        for codecs in [[BodyCodec.propertyList], [.binaryPropertyList], [.json]] {
            let client = try client(codecs).with { $0.caching.httpCache = cache }
            for isHit in [false, true] {
                let read = try await client.call(.get, "sample").decoding(.decodable(Sample.self)).response()
                #expect(read.value == Sample() && read.headers[.contentType] == codecs[0].mediaTypes[0])
                #expect(read.response.cacheReport?.isHit == isHit)
            }
        }
    }
}
