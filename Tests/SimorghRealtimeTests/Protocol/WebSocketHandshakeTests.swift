// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghRealtime
import Testing

@Suite("WebSocket opening handshake (RFC 6455)", .timeLimit(.minutes(5)))
struct WebSocketHandshakeTests {
    /// The key of the example in RFC 6455, section 1.3.
    private static let key = Array("the sample nonce".utf8)
    private static let answer = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    private static func agreed(_ change: (inout HTTPFields) -> Void = { _ in }) -> HTTPFields {
        var fields: HTTPFields = [.upgrade: "websocket", .connection: "Upgrade", .secWebSocketAccept: answer]
        change(&fields)
        return fields
    }

    @Test("The request has the key, the version and what is offered; Sec-WebSocket-Accept is that of RFC 6455")
    func asks() throws {
        let handshake = WebSocketHandshake(key: Self.key, subprotocols: ["chat", "soap"], compression: .deflate)
        var fields: HTTPFields = [.secWebSocketKey: "mine", .secWebSocketAccept: "mine", .secWebSocketProtocol: "mine"]
        handshake.addFields(to: &fields)
        #expect(fields[.secWebSocketKey] == "dGhlIHNhbXBsZSBub25jZQ==")
        #expect(fields[.secWebSocketVersion] == "13")
        #expect(fields[.secWebSocketAccept] == nil)
        #expect(fields[.secWebSocketProtocol] == "chat, soap")
        #expect(fields[.secWebSocketExtensions] == "permessage-deflate; client_max_window_bits")
        #expect(WebSocketHandshake.answer(to: "dGhlIHNhbXBsZSBub25jZQ==") == Self.answer)
    }

    @Test("Valid variants of a response: case, Connection options, subprotocol, empty extensions", arguments: 0...3)
    func accepts(form: Int) throws {
        let handshake = WebSocketHandshake(key: Self.key, subprotocols: ["chat", "soap"])
        let fields = Self.agreed { fields in
            switch form {
            case 0: fields[.upgrade] = "WebSocket"
            case 1: fields[.connection] = "keep-alive, upgrade"
            case 2: fields[.secWebSocketProtocol] = "soap"
            default: fields[.secWebSocketExtensions] = ""
            }
        }
        let agreement = try handshake.check(fields)
        #expect(agreement.subprotocol == (form == 2 ? "soap" : nil))
        #expect(agreement.compression == nil)
    }

    @Test("A response that does not match the request is refused with its reason", arguments: 0...11)
    func refuses(fault: Int) throws {
        let handshake = WebSocketHandshake(key: Self.key, subprotocols: ["chat"])
        let reasons: [WebSocketHandshakeError.Reason] = [
            .upgrade, .upgrade, .upgrade, .connection, .connection, .accept, .accept, .accept, .subprotocol,
            .subprotocol, .extensions, .extensions,
        ]
        let fields = Self.agreed { fields in
            switch fault {
            case 0: fields[.upgrade] = nil
            case 1: fields[.upgrade] = "websockets"
            case 2: fields.append(HTTPField(name: .upgrade, value: "h2c"))
            case 3: fields[.connection] = nil
            case 4: fields[.connection] = "keep-alive"
            case 5: fields[.secWebSocketAccept] = nil
            case 6: fields[.secWebSocketAccept] = "S3pPLMBiTxaQ9kYGzzhZRbK+xOo="
            case 7: fields.append(HTTPField(name: .secWebSocketAccept, value: Self.answer))
            case 8: fields[.secWebSocketProtocol] = "Chat"
            case 9: fields[.secWebSocketProtocol] = "chat, soap"
            case 10: fields[.secWebSocketExtensions] = "permessage-deflate"
            default: fields[.secWebSocketExtensions] = "x-mine"
            }
        }
        #expect { try handshake.check(fields) } throws: { ($0 as? WebSocketHandshakeError)?.reason == reasons[fault] }
    }

    @Test(
        "A refused subprotocol is named on one line, with tokens hidden",
        arguments: [
            (["Chat"], "the server selected the subprotocol Chat, which was not offered"),
            (["chat, soap"], "the server selected more than one subprotocol: chat, soap"),
            (["chat", "soap"], "the server selected more than one subprotocol: chat, soap"),
            ([""], "the header field Sec-WebSocket-Protocol of the response is empty"),
            ([" \t"], "the header field Sec-WebSocket-Protocol of the response is empty"),
            (["bearer.sesame"], "the server selected the subprotocol [hidden], which was not offered"),
        ])
    func namesSubprotocol(values: [String], message: String) {
        let handshake = WebSocketHandshake(key: Self.key, subprotocols: ["chat"])
        let fields = Self.agreed { fields in
            for value in values { fields.append(HTTPField(name: .secWebSocketProtocol, value: value)) }
        }
        let failure = #expect(throws: WebSocketHandshakeError.self) { try handshake.check(fields) }
        #expect(failure?.description.contains(message) == true, "\(failure?.description ?? "")")
    }

    @Test("The offer has each compression parameter as RFC 7692 spells it")
    func offers() {
        var wishes = WebSocketCompression()
        wishes.clientMaximumWindowBits = 10
        wishes.serverMaximumWindowBits = 9
        wishes.clientNoContextTakeover = true
        wishes.serverNoContextTakeover = true
        #expect(
            WebSocketExtensions.offer(wishes)
                == "permessage-deflate; client_max_window_bits=10; server_max_window_bits=9; "
                + "client_no_context_takeover; server_no_context_takeover")
        wishes.clientMaximumWindowBits = 3
        #expect(WebSocketExtensions.offer(wishes).contains("client_max_window_bits=9;"))
    }

    @Test(
        "The parameters that a server agreed to are used",
        arguments: [
            ("permessage-deflate", 15, 15, false, false),
            ("Permessage-Deflate ; Server_No_Context_Takeover", 15, 15, false, true),
            ("permessage-deflate; client_no_context_takeover", 15, 15, true, false),
            ("permessage-deflate;client_max_window_bits=9;server_max_window_bits=\"10\"", 9, 10, false, false),
            ("permessage-deflate; client_max_window_bits=8; server_max_window_bits=8", 8, 8, false, false),
        ])
    func agrees(value: String, client: Int, server: Int, clientForgets: Bool, serverForgets: Bool) throws {
        let agreed = try #require(try WebSocketExtensions.agreed([value], to: .deflate))
        #expect(agreed.clientMaximumWindowBits == client)
        #expect(agreed.serverMaximumWindowBits == server)
        #expect(agreed.clientNoContextTakeover == clientForgets)
        #expect(agreed.serverNoContextTakeover == serverForgets)
        #expect(agreed.threshold == 1024)
    }

    @Test(
        "An invalid parameter of the server is refused",
        arguments: [
            "permessage-deflate; client_max_window_bits", "permessage-deflate; client_max_window_bits=7",
            "permessage-deflate; client_max_window_bits=16", "permessage-deflate; server_max_window_bits=016",
            "permessage-deflate; server_max_window_bits=+9", "permessage-deflate; server_max_window_bits",
            "permessage-deflate; server_no_context_takeover=1",
            "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
            "permessage-deflate; mux", "permessage-deflate, permessage-deflate", "x-webkit-deflate-frame",
            "permessage-deflate; server_max_window_bits=\"10",
        ])
    func refusesParameter(value: String) {
        #expect(throws: WebSocketHandshakeError.self) { try WebSocketExtensions.agreed([value], to: .deflate) }
    }

    @Test("A response that ignores a requested parameter, or allows a larger window than offered, is refused")
    func wishes() throws {
        var wishes = WebSocketCompression()
        wishes.serverNoContextTakeover = true
        #expect(throws: WebSocketHandshakeError.self) {
            try WebSocketExtensions.agreed(["permessage-deflate"], to: wishes)
        }
        wishes = .deflate
        wishes.serverMaximumWindowBits = 10
        for bits in ["", "; server_max_window_bits=11"] {
            #expect(throws: WebSocketHandshakeError.self) {
                try WebSocketExtensions.agreed(["permessage-deflate" + bits], to: wishes)
            }
        }
        wishes.clientMaximumWindowBits = 10
        #expect(throws: WebSocketHandshakeError.self) {
            try WebSocketExtensions.agreed(
                ["permessage-deflate; server_max_window_bits=10; client_max_window_bits=11"], to: wishes)
        }
        #expect(try WebSocketExtensions.agreed([], to: wishes) == nil)
    }
}
