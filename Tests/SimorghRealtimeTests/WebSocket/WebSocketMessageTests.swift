// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import Testing

@Suite("WebSocketMessage", .timeLimit(.minutes(5)))
struct WebSocketMessageTests {
    private struct Note: Codable, Equatable { var text: String }

    private static let json = #"{"text":"سیمرغ"}"#

    @Test(
        "SIM6: JSON is decoded from text and from bytes",
        arguments: [WebSocketMessage.text(json), .data(Data(json.utf8))])
    func decoded(message: WebSocketMessage) throws {
        #expect(try message.decoded(as: Note.self) == Note(text: "سیمرغ"))
        #expect(try message.decoded() as Note == Note(text: "سیمرغ"))
        #expect(message.byteCount == Data(Self.json.utf8).count)
    }

    @Test("SIM6: decoded(as:decoder:) uses the given decoder")
    func decoder() throws {
        struct Moment: Codable, Equatable { var at: Date }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        #expect(
            try WebSocketMessage.text(#"{"at":7}"#).decoded(as: Moment.self, decoder: decoder).at.timeIntervalSince1970
                == 7)
    }

    @Test(
        "A message that is not JSON of the type throws DecodingError",
        arguments: [WebSocketMessage.text("no"), .data(Data([0xFF])), .text("{}")])
    func invalid(message: WebSocketMessage) {
        #expect(throws: DecodingError.self) { try message.decoded(as: Note.self) }
    }
}
