// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The offer and the agreement in `Sec-WebSocket-Extensions` (RFC 7692, section 7.1).
package enum WebSocketExtensions {
    private static let name = "permessage-deflate"

    /// Returns the field value that offers a compression.
    ///
    /// It always contains `client_max_window_bits`, because a server may set this parameter only if the client
    /// offered it.
    package static func offer(_ compression: WebSocketCompression) -> String {
        var text = name
        let client = bits(compression.clientMaximumWindowBits)
        text += client < 15 ? "; client_max_window_bits=\(client)" : "; client_max_window_bits"
        let server = bits(compression.serverMaximumWindowBits)
        if server < 15 { text += "; server_max_window_bits=\(server)" }
        if compression.clientNoContextTakeover { text += "; client_no_context_takeover" }
        if compression.serverNoContextTakeover { text += "; server_no_context_takeover" }
        return text
    }

    private static func bits(_ number: Int) -> Int { min(max(number, 9), 15) }

    /// Parses the server's response to the offer.
    ///
    /// - Parameters:
    ///   - values: The values of the field in the response, in order.
    ///   - offer: The offered compression; `nil` if none was offered.
    /// - Returns: The agreed compression, or `nil` if compression is off. Window bits may be as few as 8.
    /// - Throws: ``WebSocketHandshakeError`` if the server selects anything that was not offered.
    package static func agreed(
        _ values: [String], to offer: WebSocketCompression?
    ) throws(WebSocketHandshakeError) -> WebSocketCompression? {
        var result: WebSocketCompression?
        for value in values {
            for element in try split(value, at: ",") where !element.isEmpty {
                let parts = try split(element, at: ";")
                guard let offer else {
                    throw refused("the server selected the extension \(parts[0]), but none was offered")
                }
                guard parts[0].lowercased() == name else {
                    throw refused("the server selected the extension \(parts[0]), which was not offered")
                }
                guard result == nil else { throw refused("the server selected \(name) twice") }
                result = try parameters(parts.dropFirst(), offer: offer)
            }
        }
        return result
    }

    private static func parameters(
        _ parts: ArraySlice<String>, offer: WebSocketCompression
    ) throws(WebSocketHandshakeError) -> WebSocketCompression {
        var agreed = offer
        agreed.clientMaximumWindowBits = bits(offer.clientMaximumWindowBits)
        agreed.serverMaximumWindowBits = 15
        var seen: Set<String> = []
        for part in parts {
            let (key, value) = pair(part)
            guard seen.insert(key).inserted else { throw refused("the server sent the parameter \(key) twice") }
            switch key {
            case "client_no_context_takeover", "server_no_context_takeover":
                guard value == nil else { throw refused("the server sent \(key) with a value") }
                if key.hasPrefix("client") { agreed.clientNoContextTakeover = true }
            case "client_max_window_bits":
                agreed.clientMaximumWindowBits = try number(
                    value, key: key, upTo: bits(offer.clientMaximumWindowBits))
            case "server_max_window_bits":
                agreed.serverMaximumWindowBits = try number(
                    value, key: key, upTo: bits(offer.serverMaximumWindowBits))
            default: throw refused("the server sent the unknown parameter \(key) for \(name)")
            }
        }
        agreed.serverNoContextTakeover = seen.contains("server_no_context_takeover")
        guard !offer.serverNoContextTakeover || agreed.serverNoContextTakeover else {
            throw refused("the server does not agree to server_no_context_takeover")
        }
        guard bits(offer.serverMaximumWindowBits) == 15 || seen.contains("server_max_window_bits") else {
            throw refused("the server does not agree to server_max_window_bits")
        }
        return agreed
    }

    private static func number(
        _ text: String?, key: String, upTo limit: Int
    ) throws(WebSocketHandshakeError) -> Int {
        guard let text, let number = Int(text), String(number) == text, (8...15).contains(number) else {
            throw refused("the server sent \(key) without a number from 8 to 15")
        }
        guard number <= limit else { throw refused("the server sent \(key)=\(number), but \(limit) was offered") }
        return number
    }

    private static func pair(_ part: String) -> (String, String?) {
        guard let equals = part.firstIndex(of: "=") else { return (part.lowercased(), nil) }
        let key = part[..<equals].trimmingBlanks.lowercased()
        var value = String(part[part.index(after: equals)...].trimmingBlanks)
        if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
            value = String(value.dropFirst().dropLast())
        }
        return (key, value)
    }

    /// Splits a value at a separator outside of quotes.
    private static func split(
        _ value: String, at separator: Character
    ) throws(WebSocketHandshakeError) -> [String] {
        var parts: [String] = [""]
        var isQuoted = false
        for character in value {
            if character == "\"" { isQuoted.toggle() }
            if character == separator, !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        guard !isQuoted else { throw refused("unterminated quoted string in Sec-WebSocket-Extensions") }
        return parts.map { String($0.trimmingBlanks) }
    }

    private static func refused(_ text: String) -> WebSocketHandshakeError {
        WebSocketHandshakeError(.extensions, description: text)
    }
}
