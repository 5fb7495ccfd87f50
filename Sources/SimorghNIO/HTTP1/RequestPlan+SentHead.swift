// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHPACK
package import SimorghCore

extension RequestPlan {
    /// Returns the head as it is sent, for an observer; created by the same code that writes it, so that both are
    /// equal.
    ///
    /// - Parameter isHTTP2: True if the connection uses HTTP/2.
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
            // Skip the request line; an empty line ends the head.
            let lines = Array(writeHead().readableBytesView).split(separator: UInt8(ascii: "\n"))
            for line in lines.dropFirst() {
                guard line.count > 1, let colon = line.firstIndex(of: UInt8(ascii: ":")) else { break }
                guard let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self)) else { continue }
                // Drop the space after the colon, and the carriage return at the end.
                fields.append(HTTPField(name: name, value: Array(line[colon...].dropFirst(2).dropLast())))
            }
        }
        return WireRecord.SentHead(pseudoFields: pseudo, fields: fields, userInfo: request.options.userInfo)
    }
}

extension TransportError {
    /// Returns the error with the details of its exchange.
    func withDetails(_ facts: AttemptDetails, attempts: Int) -> TransportError {
        var error = self
        error.facts = facts
        error.attempts = attempts
        return error
    }
}
