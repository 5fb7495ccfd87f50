// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One field of a form that is sent in parts (RFC 7578).
public enum MultipartFormField: Sendable, Hashable {
    /// A text.
    case text(name: String, value: String)
    /// The content of a file; without a type it is sent as `application/octet-stream`.
    case file(name: String, data: Data, fileName: String, mimeType: String? = nil)

    /// The bytes of the part after its head.
    var content: Data {
        switch self {
        case .text(_, let value): Data(value.utf8)
        case .file(_, let data, _, _): data
        }
    }

    /// The head of the part, with the empty line that ends it.
    func head() throws(InvalidRequest) -> String {
        switch self {
        case .text(let name, _):
            return "Content-Disposition: form-data; name=\"\(Self.escaped(name))\"\r\n\r\n"
        case .file(let name, _, let fileName, let mimeType):
            let type = mimeType ?? "application/octet-stream"
            try HeaderRules.check(value: type, of: "Content-Type")
            return """
                Content-Disposition: form-data; name="\(Self.escaped(name))"; filename="\(Self.escaped(fileName))"\r
                Content-Type: \(type)\r
                \r\n
                """
        }
    }

    /// A name that cannot end its quotes or its line: escaped as the WHATWG HTML standard does for forms.
    private static func escaped(_ name: String) -> String {
        let mustBeEscaped = { (byte: UInt8) in byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") }
        guard name.utf8.contains(where: mustBeEscaped) else { return name }
        let hexDigits = Array("0123456789ABCDEF".utf8)
        let bytes = name.utf8.flatMap { byte in
            mustBeEscaped(byte) ? [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]] : [byte]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
