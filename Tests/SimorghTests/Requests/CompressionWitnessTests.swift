// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import Foundation
import HTTPTypes
import Simorgh
import Synchronization
import Testing

/// Compressed requests to Tests/Peers/wire.py, which decodes them with Python's zlib.
@Suite("Compressed request bodies", .timeLimit(.minutes(10)))
struct CompressionWitnessTests {
    private struct Heard: Decodable {
        let coding: [String]
        let length: String?
        let transfer: String?
        let type: String?
        let raw: Int
        let plain: Int
        let sha256: String
    }

    private static func digest(_ data: Data) -> String {
        SHA256.hash(data: data).map {
            String(UInt8($0) >> 4, radix: 16) + String(UInt8($0) & 15, radix: 16)
        }.joined()
    }

    @Test(
        "A compressed JSON, multipart, file or stream body decodes to the original bytes",
        arguments: RequestBody.Coding.allCases)
    func arrive(coding: RequestBody.Coding) async throws {
        let client = APIClient(baseURL: try Witness.wire.url)
        let names = (0..<5000).map { "bird \($0 % 50)" }
        let json: Heard = try await client.post("body", body: .json(names).compressed(coding))
        #expect(json.coding == [coding.rawValue] && json.type == "application/json")
        #expect(json.length == "\(json.raw)" && json.transfer == nil)
        #expect(
            json.sha256 == Self.digest(try JSONEncoder().encode(names)) && json.raw * 5 < json.plain)

        let large = Data((0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 / 777) })
        let file = FileManager.default.temporaryDirectory.appending(path: "simorgh-\(UUID())")
        try large.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let pieces = stride(from: 0, to: large.count, by: 99_999).map {
            large[$0..<min(large.count, $0 + 99_999)]
        }
        let stream = RequestBody.stream {
            AsyncThrowingStream<Data, any Error> { stream in
                for piece in pieces { stream.yield(piece) }
                stream.finish()
            }
        }
        for body in [try .file(file.path), stream, .bytes(large)] {
            let heard: Heard = try await client.post("body", body: body.compressed(coding))
            #expect(
                heard.coding == [coding.rawValue] && heard.length == nil && heard.transfer == "chunked")
            #expect(heard.plain == large.count && heard.sha256 == Self.digest(large))
            #expect(heard.raw < large.count / 4)
        }
        let fields: [MultipartFormField] = [
            .text(name: "a", value: "b"), .filePath(name: "f", path: file.path),
        ]
        let form: Heard = try await client.post("body", body: .multipart(fields).compressed(coding))
        #expect(
            form.type?.hasPrefix("multipart/form-data; boundary=") == true && form.plain > large.count)
    }

    @Test("A compressed body is resent after a redirect, compressed once")
    func redirected() async throws {
        let client = APIClient(baseURL: try Witness.httpbin.url)
        let target = try Witness.wire.url + "/body"
        let heard: Heard = try await client.post(
            "redirect-to", query: ["url": target, "status_code": "307"], body: .json(["zal"]).compressed()
        )
        #expect(heard.coding == ["gzip"] && heard.sha256 == Self.digest(Data("[\"zal\"]".utf8)))
    }

    @Test("Upload progress counts the bytes before compression")
    func progress() async throws {
        let client = APIClient(baseURL: try Witness.wire.url)
        let last = Mutex<UploadProgress?>(nil)
        let call = client.call(
            .post, "body", body: .bytes(Data(repeating: 7, count: 3_000_000)).compressed()
        )
        .uploadProgress { progress in last.withLock { $0 = progress } }
        try await call.void()
        let heard = last.withLock { $0 }
        #expect(heard?.sent == 3_000_000 && heard?.total == 3_000_000)
    }
}
