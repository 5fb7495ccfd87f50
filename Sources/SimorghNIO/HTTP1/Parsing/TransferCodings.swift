// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The codings that the `Transfer-Encoding` fields of a response list.
struct TransferCodings {
    /// The names with their parameters, in small letters.
    private let names: [Substring]

    /// - Parameter list: The values of the fields, joined by commas.
    init(_ list: String) {
        names = list.lowercased().split(separator: ",").map { $0.trimmingBlanks }.filter { !$0.isEmpty }
    }

    /// Returns how the codings frame the body (RFC 9112, section 6.3).
    ///
    /// A body whose final coding is not `chunked` goes on until the connection closes, and is handed over as it is: the
    /// engine asks for no transfer coding, and undoes none but `chunked`.
    ///
    /// - Returns: The framing.
    /// - Throws: ``ResponseParser/Fault`` for a list that readers may understand differently.
    func framing() throws(ResponseParser.Fault) -> ResponseParser.Framing {
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
        guard names.count == 1 else { throw .malformed("the body has a transfer coding beneath chunked") }
        return .chunked
    }
}
