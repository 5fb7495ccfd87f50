// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghRealtime
import TestSupport

// The client under test for Autobahn's fuzzing server (scripts/interop/autobahn): echoes the messages of each case.
//   autobahn-client URL AGENT [CASES]
// CASES are numbers and ranges, such as 1-301,392. AUTOBAHN_ROOT is the file of the certificate to trust.
// AUTOBAHN_STACK=streams runs the implementation over byte streams, which does not use the engine.
// AUTOBAHN_AT_ONCE is the number of concurrent cases: many cases mostly wait.
// Exits with 1 unless the server rates each case OK or INFORMATIONAL; its report has the details.

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
    print("usage: autobahn-client URL AGENT [CASES]")
    exit(2)
}
let server = arguments[1]
let agent = arguments[2]

let environment = ProcessInfo.processInfo.environment
let transport: any WebSocketTransport =
    environment["AUTOBAHN_STACK"] == "streams"
    ? SocketByteStream.transport(trusting: environment["AUTOBAHN_ROOT"]) : NIOTransport.shared

func open(_ path: String, _ options: WebSocketChannelOptions) async throws -> any WebSocketChannel {
    let parts = server.split(separator: "/", omittingEmptySubsequences: true)
    var request = TransportRequest(
        head: HTTPRequest(
            method: .get, scheme: String(parts[0].dropLast()), authority: String(parts[1]), path: path))
    if let root = environment["AUTOBAHN_ROOT"] {
        request.options.tls.trust = .only([.file(root)])
    }
    switch try await transport.open(request, options: options) {
    case .opened(let link): return link
    case .refused(let response): throw Refusal(status: response.head.status.code)
    }
}

struct Refusal: Error { let status: Int }

func ask(_ path: String) async throws -> String {
    let link = try await open(path, WebSocketChannelOptions())
    defer { link.drop() }
    guard case .text(let text)? = try await link.receive() else { return "" }
    return text
}

func echo(_ number: Int) async throws {
    var options = WebSocketChannelOptions()
    options.maximumMessageSize = 32 * 1024 * 1024
    options.receiveBufferSize = 64 * 1024 * 1024
    var compression = WebSocketCompression()
    compression.threshold = 0
    options.compression = compression
    let link = try await open("/runCase?case=\(number)&agent=\(agent)", options)
    do {
        while let message = try await link.receive() { try await link.send(message) }
    } catch {
        // The case either intended that end, or the server reports a failure.
    }
    _ = await link.close()
}

/// The server's rating of a case.
struct Outcome: Sendable {
    let behavior: String
    /// The id and rating of a failed case.
    var failure: String?
}

/// Runs a case and fetches its rating.
func play(_ number: Int) async throws -> Outcome {
    struct Status: Decodable { let behavior: String }
    struct Info: Decodable { let id: String }
    try await echo(number)
    let status = try JSONDecoder().decode(
        Status.self, from: Data(try await ask("/getCaseStatus?case=\(number)&agent=\(agent)").utf8))
    guard status.behavior != "OK", status.behavior != "INFORMATIONAL" else {
        return Outcome(behavior: status.behavior)
    }
    let info = try? JSONDecoder().decode(Info.self, from: Data(try await ask("/getCaseInfo?case=\(number)").utf8))
    return Outcome(
        behavior: status.behavior, failure: "\(info?.id ?? "?") (\(number)): \(status.behavior)")
}

/// Returns the numbers in a list of numbers and ranges.
func numbers(_ text: String, upTo count: Int) -> [Int] {
    text.split(separator: ",").flatMap { item in
        let ends = item.split(separator: "-").compactMap { Int($0) }
        guard let first = ends.first, let last = ends.last, first <= last else { return [Int]() }
        return Array(first...min(last, count))
    }
}

do {
    let count = Int(try await ask("/getCaseCount")) ?? 0
    let chosen = arguments.count > 3 ? numbers(arguments[3], upTo: count) : Array(1...max(1, count))
    let atOnce = max(1, environment["AUTOBAHN_AT_ONCE"].flatMap { Int($0) } ?? 1)
    var behaviors: [String: Int] = [:]
    var failures: [String] = []
    try await withThrowingTaskGroup(of: Outcome.self) { group in
        var rest = chosen[...]
        for number in rest.prefix(atOnce) { group.addTask { try await play(number) } }
        rest = rest.dropFirst(atOnce)
        while let outcome = try await group.next() {
            behaviors[outcome.behavior, default: 0] += 1
            if let failure = outcome.failure { failures.append(failure) }
            if let number = rest.popFirst() { group.addTask { try await play(number) } }
        }
    }
    failures.sort()
    _ = try? await ask("/updateReports?agent=\(agent)")
    for failure in failures { print(failure) }
    print(
        "\(chosen.count) cases: "
            + behaviors.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
    exit(failures.isEmpty ? 0 : 1)
} catch {
    print("autobahn-client: \(error)")
    exit(1)
}
