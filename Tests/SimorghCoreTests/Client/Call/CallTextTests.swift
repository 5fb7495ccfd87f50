// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(5)))
struct CallTextTests {
    private func call(_ bytes: [UInt8], _ type: String?) -> Call<Data> {
        let answer = StubResponse(body: Data(bytes))
        return APIClient.scripted(StubServer { _ in type.map { answer.header(.contentType, value: $0) } ?? answer })
            .call(.get, "x")
    }

    @Test(
        "string() decodes in the charset of Content-Type, and as UTF-8 without one",
        arguments: [
            (nil, [0x63, 0x61, 0x66, 0xC3, 0xA9]), ("text/plain", [0x63, 0x61, 0x66, 0xC3, 0xA9]),
            ("text/html; charset=", [0x63, 0x61, 0x66, 0xC3, 0xA9]),
            ("text/html; charset=utf-8", [0x63, 0x61, 0x66, 0xC3, 0xA9]),
            ("text/html;CHARSET=\"ISO-8859-1\"", [0x63, 0x61, 0x66, 0xE9]),
            ("text/html; level=1; charset=Windows-1252 ; x=y", [0x63, 0x61, 0x66, 0xE9]),
            ("application/json; charset=utf-16le", [0x63, 0, 0x61, 0, 0x66, 0, 0xE9, 0]),
            ("text/html; charset=utf-8, text/plain", [0x63, 0x61, 0x66, 0xC3, 0xA9]),
            ("text/html; charset=latin1, text/html", [0x63, 0x61, 0x66, 0xE9]),
            ("text/plain; charset=latin1", [0xEF, 0xBB, 0xBF, 0x63, 0x61, 0x66, 0xC3, 0xA9]),
        ] as [(String?, [UInt8])])
    func text(type: String?, bytes: [UInt8]) async throws {
        #expect(try await call(bytes, type).string() == "café")
        #expect(try await call(bytes, type).decoding(.string).result().get() == "café")
        #expect(try await call(bytes, type).response().response.string() == "café")
    }

    @Test("string() of an empty body is an empty string", arguments: ["text/plain", "text/plain; charset=utf-16"])
    func empty(type: String) async throws { #expect(try await call([], type).string().isEmpty) }

    @Test(
        "An unknown charset, or bytes that are invalid in it, is a decoding error that names the charset",
        arguments: [
            ("text/plain; charset=shift_jis", [0x82, 0xA0], "charset \"shift_jis\""),
            ("text/plain; charset=x-none", [0x41], "charset \"x-none\""),
            ("text/plain; charset=utf-8", [0x41, 0xFF], "utf-8 from byte 1"), (nil, [0x63, 0xE9], "utf-8 from byte 1"),
            ("text/plain; charset=utf-16", [0x41], "utf-16le from byte 0"),
        ] as [(String?, [UInt8], String)])
    func undecodable(type: String?, bytes: [UInt8], words: String) async throws {
        let result = await call(bytes, type).decoding(.string).result()
        guard case .failure(.decodingError(let failure)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(failure.message.contains(words))
        #expect(failure.type == "String")
        #expect(failure.response.body == Data(bytes))
        let error = await #expect(throws: NetworkError.self) { try await call(bytes, type).string() }
        #expect(error?.statusCode == 200)
    }
}
