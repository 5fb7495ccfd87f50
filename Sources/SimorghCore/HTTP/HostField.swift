// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// A `Host` field that the request sets itself: it replaces the URL's host in the message.
///
/// It changes only the field: the connection, the TLS name, cookies and credentials follow the URL.
package enum HostField {
    /// The field's name.
    package static let name = HTTPField.Name.known("Host")

    /// Returns the host in the request's own `Host` field.
    ///
    /// - Parameter fields: The fields.
    /// - Returns: The value of the field `Host`; `nil` if there is no such field.
    /// - Throws: ``InvalidRequestError`` if the value is not a host with an optional port, or if two fields differ.
    package static func value(in fields: HTTPFields) throws(InvalidRequestError) -> String? {
        let values = fields[values: name]
        guard let host = values.first else { return nil }
        guard values.allSatisfy({ $0 == host }) else {
            throw InvalidRequestError(.invalidHeader, message: "the request has two fields Host that differ: set one")
        }
        guard isHost(host) else {
            throw InvalidRequestError(
                .invalidHeader,
                message: "the value of the field Host is not a host: write a name or an address, and perhaps a port, "
                    + "in ASCII")
        }
        return host
    }

    private static func isHost(_ text: String) -> Bool {
        guard text.utf8.allSatisfy(allowed.contains), !text.isEmpty else { return false }
        if text.utf8.first == UInt8(ascii: "[") {
            guard let end = text.utf8.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let rest = text.utf8[text.utf8.index(after: end)...]
            return text.utf8.contains(UInt8(ascii: ":")) && isPort(rest)
        }
        let name = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        return !name.isEmpty && !name.contains(UInt8(ascii: "[")) && !name.contains(UInt8(ascii: "]"))
            && isPort(text.utf8[name.endIndex...])
    }

    /// Returns true for an empty text, or a colon and a port.
    private static func isPort(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first else { return true }
        let digits = text.dropFirst()
        guard first == UInt8(ascii: ":"), digits.allSatisfy(ByteSet.digits.contains) else { return false }
        return (1...5).contains(digits.count) && UInt16(Substring(digits)) != nil
    }

    /// The bytes of a registered name or an address (RFC 3986, section 3.2.2).
    ///
    /// The comma is left out: it would make the field a list.
    private static let allowed = ByteSet.letters.union(.digits).union(ByteSet("-._~%!$&'()*+;=:[]"))
}
