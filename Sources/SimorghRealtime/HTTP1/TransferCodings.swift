// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The transfer codings of a response.
struct TransferCodings {
    /// The names with their parameters, in lower case.
    private let names: [Substring]

    /// Creates the list of codings.
    ///
    /// - Parameter list: The values of all `Transfer-Encoding` fields, joined by commas.
    init(_ list: String) {
        names = list.lowercased().split(separator: ",").map { $0.trimmingBlanks }.filter { !$0.isEmpty }
    }

    /// Returns the framing of the body (RFC 9112, section 6.3).
    ///
    /// If the final coding is not `chunked`, the body ends with the connection and is delivered undecoded: the engine
    /// requests no transfer coding, and decodes only `chunked`.
    ///
    /// - Returns: The framing.
    /// - Throws: ``ResponseParser/Fault`` for a list that parsers may understand differently.
    func framing() throws(ResponseParser.ParseError) -> ResponseParser.Framing {
        for name in names {
            let token = name.utf8.prefix { $0 != UInt8(ascii: ";") && !$0.isBlank }
            guard !token.isEmpty, token.allSatisfy(HeaderRules.isTokenByte),
                token.count == name.utf8.count || name.utf8.contains(UInt8(ascii: ";"))
            else { throw .malformed("a transfer coding is not a token") }
            guard Substring(token) != "chunked" || token.count == name.utf8.count else {
                throw .malformed("the transfer coding chunked has parameters")
            }
        }
        guard let final = names.last else { throw .malformed("the list of transfer codings is empty") }
        guard names.count(where: { $0 == "chunked" }) < 2 else {
            throw .malformed("the transfer coding chunked is listed twice")
        }
        guard final == "chunked" else { return .untilClose }
        guard names.count == 1 else { throw .malformed("the body has a transfer coding besides chunked") }
        return .chunked
    }
}
