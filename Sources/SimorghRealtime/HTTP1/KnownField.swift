// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// The most frequent response field names, which need not be validated, lowercased and copied in each response.
package enum KnownField {
    /// The role of a field for the engine.
    package enum Role {
        case none
        case connection
        case contentEncoding
        case contentLength
        case transferEncoding

        fileprivate init(_ canonicalName: String) {
            switch canonicalName {
            case "connection": self = .connection
            case "content-encoding": self = .contentEncoding
            case "content-length": self = .contentLength
            case "transfer-encoding": self = .transferEncoding
            default: self = .none
            }
        }
    }

    private struct Entry {
        let spelling: StaticString
        let name: HTTPField.Name
        let lowercased: HTTPField.Name
        let role: Role
    }

    /// Returns a name in its received spelling; `nil` if it is not a token.
    package static func name(_ bytes: UnsafeRawBufferPointer) -> (HTTPField.Name, Role)? {
        if bytes.count > 0, bytes.count < byLength.count, let base = bytes.baseAddress {
            for entry in byLength[bytes.count] {
                // Servers use either the usual spelling or lower case; any other spelling is validated.
                let first = entry.spelling.utf8Start[0]
                guard bytes[0] == first || bytes[0] == lowercased(first) else { continue }
                let isSame = memcmp(base, entry.spelling.utf8Start, bytes.count) == 0
                let isLowercased =
                    !isSame
                    && (0..<bytes.count).allSatisfy { index in
                        bytes[index] == lowercased(entry.spelling.utf8Start[index])
                    }
                if isSame { return (entry.name, entry.role) }
                if isLowercased { return (entry.lowercased, entry.role) }
            }
        }
        guard let name = HTTPField.Name(String(decoding: bytes, as: UTF8.self)) else { return nil }
        return (name, role(of: name))
    }

    package static func role(of name: HTTPField.Name) -> Role { Role(name.canonicalName) }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// The names, indexed by their length in bytes.
    private static let byLength: [[Entry]] = {
        var byLength: [[Entry]] = []
        for spelling in spellings {
            let text = spelling.description
            guard let name = HTTPField.Name(text), let lowercased = HTTPField.Name(text.lowercased()) else { continue }
            while byLength.count <= text.utf8.count { byLength.append([]) }
            byLength[text.utf8.count].append(
                Entry(spelling: spelling, name: name, lowercased: lowercased, role: Role(lowercased.rawName)))
        }
        return byLength
    }()

    private static let spellings: [StaticString] = [
        "Accept-Ranges", "Access-Control-Allow-Credentials", "Access-Control-Allow-Origin", "Age", "Alt-Svc",
        "Cache-Control", "Connection", "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Length",
        "Content-Range", "Content-Security-Policy", "Content-Type", "Date", "ETag", "Expires", "Keep-Alive",
        "Last-Modified", "Link", "Location", "Pragma", "Referrer-Policy", "Retry-After", "Server", "Set-Cookie",
        "Strict-Transport-Security", "Transfer-Encoding", "Vary", "Via", "WWW-Authenticate", "X-Content-Type-Options",
        "X-Frame-Options", "X-Powered-By", "X-Request-Id", "X-XSS-Protection",
    ]
}
