// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Simorgh

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Measures the reading of streams without a network: chunks of 64 KiB from memory through the public sequences.
///
///     bench-streaming FORM ROUNDS [FILE]
///
/// FORM is lines, raw-lines, bytes, sse, ndjson, decoder (the same records through JSONDecoder alone), array or
/// sequence. With FILE the bytes are only written to that file, for another program to read.
@main
struct StreamingBenchmark {
    /// The same chunk repeated; 16 MiB per round.
    struct Chunks: AsyncSequence, Sendable {
        typealias Element = Data
        typealias Failure = any Error
        let chunks: [Data]
        let rounds: Int

        struct Iterator: AsyncIteratorProtocol {
            let chunks: [Data]
            let rounds: Int
            var round = 0
            var index = 0

            mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
                if index == chunks.count { (round, index) = (round + 1, 0) }
                guard round < rounds else { return nil }
                defer { index += 1 }
                return chunks[index]
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks, rounds: rounds) }
    }

    struct Record: Codable, Sendable {
        var id: Int
        var name: String
        var price: Double
    }

    static func bytes(_ form: String, size: Int) -> Data {
        let record = #"{"id":4711,"name":"Simorgh of the mountain Qaf","price":12.5}"#
        let one =
            switch form {
            case "sse": "data: {\"token\":\"word\"}\n\n"
            case "ndjson", "decoder": record + "\n"
            case "sequence": "\u{1E}\(record)\n"
            case "array": record + ","
            default: String(repeating: "x", count: 99) + "\n"
            }
        var data = Data()
        while data.count + one.utf8.count <= size { data.append(contentsOf: one.utf8) }
        return data
    }

    static func cut(_ bytes: Data) -> [Data] {
        stride(from: 0, to: bytes.count, by: 65536).map { Data(bytes[$0..<min($0 + 65536, bytes.count)]) }
    }

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3, let rounds = Int(arguments[2]), rounds > 0 else {
            print("usage: bench-streaming lines|raw-lines|bytes|sse|ndjson|decoder|array|sequence ROUNDS [FILE]")
            exit(2)
        }
        let form = arguments[1]
        let bytes = bytes(form, size: 16 * 1024 * 1024)
        if arguments.count > 3 {
            exit(FileManager.default.createFile(atPath: arguments[3], contents: bytes) ? 0 : 1)
        }
        Task {
            do {
                let start = clock()
                let count = try await read(form, bytes: bytes, rounds: rounds)
                let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
                let total = bytes.count * rounds
                let rate = Double(count) / seconds
                print(
                    "{\"form\": \"\(form)\", \"bytes\": \(total), \"records\": \(count), \"cpu\": \(seconds), "
                        + "\"recordsPerSecond\": \(Int(rate)), \"MiBPerSecond\": \(Int(Double(total) / seconds / 1048576))}"
                )
                exit(0)
            } catch {
                print("\(error)")
                exit(1)
            }
        }
        dispatchMain()
    }

    @concurrent
    static func read(_ form: String, bytes: Data, rounds: Int) async throws -> Int {
        let chunks = cut(bytes)
        let body = ResponseBody(Chunks(chunks: chunks, rounds: rounds))
        var count = 0
        switch form {
        case "lines": for try await line in body.lines() { count += line.isEmpty ? 0 : 1 }
        case "raw-lines": try await body.forEachLine { line in count += line.isEmpty ? 0 : 1 }
        case "bytes": for try await byte in body.bytes { count += byte < 0x80 ? 1 : 0 }
        case "sse": for try await event in body.serverSentEvents() { count += event.data.isEmpty ? 0 : 1 }
        case "ndjson": for try await record in body.ndjson(as: Record.self) { count += record.id > 0 ? 1 : 0 }
        case "sequence": for try await record in body.jsonSequence(as: Record.self) { count += record.id > 0 ? 1 : 0 }
        case "array":
            let all = [Data("[".utf8)] + chunks.dropLast() + [chunks[chunks.count - 1].dropLast()] + [Data("]".utf8)]
            for _ in 0..<rounds {
                let body = ResponseBody(Chunks(chunks: all, rounds: 1))
                for try await record in body.jsonArray(of: Record.self) { count += record.id > 0 ? 1 : 0 }
            }
        default:
            let decoder = JSONDecoder()
            let size = Self.bytes("decoder", size: 70).count
            for _ in 0..<rounds {
                var start = 0
                while start + size <= bytes.count {
                    let record = try decoder.decode(Record.self, from: bytes[start..<start + size])
                    count += record.id > 0 ? 1 : 0
                    start += size
                }
            }
        }
        return count
    }
}
