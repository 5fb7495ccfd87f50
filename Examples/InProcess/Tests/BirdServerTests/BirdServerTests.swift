// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import BirdServer
import Foundation
import HTTPTypes
import Simorgh
import Testing

@Suite("The bird server, in process and over a socket", .timeLimit(.minutes(2)))
struct BirdServerTests {
    @Test("A bird is fetched by its number", arguments: Carrier.allCases)
    func reads(_ carrier: Carrier) async throws {
        try await carrier.withClient { client in
            let bird: Bird = try await client.get("birds/7")
            #expect(bird == Bird(id: 7, name: "bird 7"))
        }
    }

    @Test("A new bird is decoded, and answered with 201 and its location", arguments: Carrier.allCases)
    func creates(_ carrier: Carrier) async throws {
        try await carrier.withClient { client in
            let response = try await client.call(.post, "birds", body: .json(Bird(id: 8, name: "Zal"))).response()
            #expect(response.statusCode == 201)
            #expect(response.headers[.location] == "/birds/8")
        }
    }

    @Test(
        "An error of the server is its status",
        arguments: Carrier.allCases, [("birds/100", 404), ("birds/x", 400), ("nowhere", 404), ("broken", 500)])
    func errors(_ carrier: Carrier, path: (String, Int)) async throws {
        try await carrier.withClient { client in
            let error = await #expect(throws: NetworkError.self) { try await client.call(.get, path.0).void() }
            #expect(error?.statusCode == path.1)
        }
    }

    @Test("Each chunk is answered before the next one is sent", arguments: Carrier.allCases)
    func bothWays(_ carrier: Carrier) async throws {
        try await carrier.withClient { client in
            let (chunks, source) = AsyncThrowingStream<Data, any Error>.makeStream()
            // The server may begin its response with the first chunk.
            source.yield(Data("0".utf8))
            let response = try await client.stream(.post, "echo", body: .once(chunks))
            var iterator = response.chunks.makeAsyncIterator()
            for number in 0..<10 {
                let chunk = try await iterator.next()
                #expect(chunk == Data("\(number)".utf8))
                source.yield(Data("\(number + 1)".utf8))
            }
            source.finish()
            let (last, end) = (try await iterator.next(), try await iterator.next())
            #expect(last == Data("10".utf8) && end == nil)
        }
    }

    @Test("A large body arrives whole, with and without a known length", arguments: Carrier.allCases, [true, false])
    func upload(_ carrier: Carrier, isMeasured: Bool) async throws {
        try await carrier.withClient { client in
            let size = 50 * 100_000
            let body = RequestBody.stream(length: isMeasured ? Int64(size) : nil) {
                AsyncThrowingStream<Data, any Error> { stream in
                    for _ in 0..<50 { stream.yield(Data(repeating: 0x61, count: 100_000)) }
                    stream.finish()
                }
            }
            let count = try await client.call(.post, "count", body: body).data()
            #expect(count == Data("\(size)".utf8))
        }
    }

    @Test("A streamed response arrives in order, with its trailers", arguments: Carrier.allCases)
    func ticks(_ carrier: Carrier) async throws {
        try await carrier.withClient { client in
            let response = try await client.stream(.get, "ticks/1000")
            var lines: [String] = []
            for try await line in response.lines() { lines.append(line) }
            #expect(lines == (0..<1000).map { "\($0)" })
            #expect(response.trailers[.eTag] == "\"1000\"")
        }
    }

    @Test("A client that stops reading does not keep the server from the next request", arguments: Carrier.allCases)
    func release(_ carrier: Carrier) async throws {
        try await carrier.withClient { client in
            do {
                let response = try await client.stream(.get, "ticks/200000")
                var iterator = response.chunks.makeAsyncIterator()
                _ = try await iterator.next()
            }
            let bird: Bird = try await client.get("birds/7")
            #expect(bird.id == 7)
        }
    }
}
