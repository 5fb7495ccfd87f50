// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHPACK
package import SimorghCore

extension RequestPlan {
    /// The head as it is sent, for an observer: made anew by what writes it, so that it is the same.
    ///
    /// - Parameter isHTTP2: Whether the connection speaks HTTP/2.
    /// - Returns: The fields in their order.
    package func sentHead(isHTTP2: Bool) -> WireRecord.SentHead {
        var pseudo: [(name: String, value: String)] = []
        var fields = HTTPFields()
        if isHTTP2 {
            // A request whose fields cannot be written is not sent.
            let sent = (try? HTTP2FieldWriter.fields(of: self)) ?? HPACKHeaders()
            for (name, value, _) in sent {
                if name.hasPrefix(":") {
                    pseudo.append((name, value))
                } else if let name = HTTPField.Name(name) {
                    fields.append(HTTPField(name: name, value: value))
                }
            }
        } else {
            // The first line is the request's, and an empty one ends the head.
            let lines = Array(writeHead().readableBytesView).split(separator: UInt8(ascii: "\n"))
            for line in lines.dropFirst() {
                guard line.count > 1, let colon = line.firstIndex(of: UInt8(ascii: ":")) else { break }
                guard let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self)) else { continue }
                // Behind the colon stands a blank, and before the line's end a carriage return.
                fields.append(HTTPField(name: name, value: Array(line[colon...].dropFirst(2).dropLast())))
            }
        }
        return WireRecord.SentHead(pseudoFields: pseudo, fields: fields, userInfo: request.options.userInfo)
    }
}

extension TransportError {
    /// The same error with what is known of its exchange.
    func known(_ facts: AttemptFacts, _ attempts: Int) -> TransportError {
        var error = self
        error.facts = facts
        error.attempts = attempts
        return error
    }
}
