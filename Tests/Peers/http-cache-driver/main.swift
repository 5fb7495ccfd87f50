// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import Synchronization

// The client under test for the HTTP cache tests (Tests/Peers/http-cache/judge.py): requests as lines of JSON on
// standard input, responses on standard output, in any order. All requests share one cache, empty at the start, on top
// of the engine.
//   http-cache-driver [--disk FOLDER] [--stale-if-error SECONDS]
// With a folder the memory cache is disabled, so that each cached response comes from a file.

struct Question: Decodable {
    let n: Int
    let method: String
    let url: String
    let headers: [[String]]
    let body: String?
    let cache: String?
    let timeout: Double?
}

struct Answer: Encodable {
    var n: Int
    var status: Int?
    var headers: [[String]]?
    var body: String?
    var interim: [Interim]?
    var error: String?
}

struct Interim: Encodable {
    let status: Int
    let headers: [[String]]

    func encode(to encoder: any Encoder) throws {
        var pair = encoder.unkeyedContainer()
        try pair.encode(status)
        try pair.encode(headers)
    }
}

/// Returns the fields in the format of the judge: each octet of a value is one character.
func pairs(_ fields: HTTPFields) -> [[String]] {
    fields.map { field in
        let value = field.withUnsafeBytesOfValue { String(String.UnicodeScalarView($0.map { UnicodeScalar($0) })) }
        return [field.name.rawName, value]
    }
}

func request(_ question: Question, _ interim: InterimLog) throws -> TransportRequest {
    guard let scheme = question.url.range(of: "://") else { throw URLError(.badURL) }
    let rest = question.url[scheme.upperBound...]
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    var fields = HTTPFields()
    for pair in question.headers where pair.count == 2 {
        guard let name = HTTPField.Name(pair[0]) else { throw URLError(.badURL) }
        fields.append(
            HTTPField(name: name, lenientValue: pair[1].unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }))
    }
    guard let method = HTTPRequest.Method(question.method) else { throw URLError(.badURL) }
    var request = TransportRequest(
        head: HTTPRequest(
            method: method, scheme: String(question.url[..<scheme.lowerBound]), authority: String(rest[..<slash]),
            path: slash == rest.endIndex ? "/" : String(rest[slash...]), headerFields: fields))
    if let body = question.body { request.body = .bytes(Data(body.utf8)) }
    request.options.timeouts.total = .seconds(question.timeout ?? 10)
    request.options.informational = { interim.append($0) }
    return request
}

final class InterimLog: Sendable {
    private let responses = Mutex<[Interim]>([])
    func append(_ response: HTTPResponse) {
        let interim = Interim(status: response.status.code, headers: pairs(response.headerFields))
        responses.withLock { $0.append(interim) }
    }
    var all: [Interim] { responses.withLock { $0 } }
}

func answer(_ question: Question, _ cache: HTTPCache) async -> Answer {
    let interim = InterimLog()
    do {
        let strategy: CacheStrategy =
            question.cache == "no-cache" ? .reloadRevalidatingCacheData : .useProtocolCachePolicy
        let chain = [Interceptor.cache(cache, strategy: strategy, time: .system)].around {
            try await NIOTransport.shared.send($0)
        }
        let response = try await chain(try request(question, interim))
        let body = try await response.body.collect(upTo: 1 << 20)
        return Answer(
            n: question.n, status: response.head.status.code, headers: pairs(response.head.headerFields),
            body: String(decoding: body, as: UTF8.self), interim: interim.all)
    } catch {
        return Answer(n: question.n, error: "\(error)")
    }
}

var configuration = CacheConfiguration(diskCapacity: 0)
var arguments = CommandLine.arguments.dropFirst()
while let name = arguments.popFirst(), let value = arguments.popFirst() {
    switch name {
    case "--disk": configuration = CacheConfiguration(memoryCapacity: 0, diskPath: value)
    case "--stale-if-error": configuration.staleIfError = .seconds(Int(value) ?? 0)
    default: exit(2)
    }
}
let cache = HTTPCache(configuration)
let output = Mutex(FileHandle.standardOutput)
await withTaskGroup(of: Void.self) { group in
    // Reading one line at a time is enough: the judge has 25 requests in flight.
    while let line = readLine() {
        guard let question = try? JSONDecoder().decode(Question.self, from: Data(line.utf8)) else { continue }
        group.addTask {
            guard let bytes = try? JSONEncoder().encode(await answer(question, cache)) else { return }
            output.withLock { $0.write(bytes + Data("\n".utf8)) }
        }
    }
}
