// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore
import SimorghSupport

/// The parts of the caller's fields that concern the engine.
package struct RequestFields {
    package private(set) var contentLength: Int64?
    package private(set) var cookies = 0
    package private(set) var hasHost = false
    package private(set) var hasContentType = false
    package private(set) var hasAcceptEncoding = false
    package private(set) var hasRange = false
    package private(set) var hasPriority = false
    package private(set) var closes = false
    package private(set) var expectsContinue = false

    package init() {}

    package mutating func take(_ fields: HTTPFields) throws(TransportError) {
        for index in fields.indices {
            let field = fields[index]
            let kind = EngineField(field.name.canonicalName)
            if kind?.isDropped != true { try RequestRules.check(field) }
            switch kind {
            case .none, .connectionOnly: break
            case .host: hasHost = true
            case .contentType: hasContentType = true
            case .cookie: cookies += 1
            case .acceptEncoding: hasAcceptEncoding = true
            case .range: hasRange = true
            case .priority: hasPriority = true
            case .expect: expectsContinue = true
            case .refused:
                throw .invalid(
                    .invalidHeader, message: "the field \(field.name.rawName) is set by the transport: remove it")
            case .connection: try takeConnection(field.value)
            case .contentLength:
                guard let length = Int64(field.value), length >= 0, contentLength ?? length == length else {
                    throw .invalid(.invalidHeader, message: "Content-Length is not one number")
                }
                contentLength = length
            }
        }
    }

    private mutating func takeConnection(_ value: String) throws(TransportError) {
        for token in value.lowercased().split(whereSeparator: { $0 == "," || $0 == " " }) {
            switch token {
            case "close": closes = true
            case "keep-alive": break
            default:
                throw .invalid(.invalidHeader, message: "the field Connection may only contain close or keep-alive")
            }
        }
    }
}

/// The header fields that the engine interprets or sets.
package enum EngineField {
    case host
    case connection
    case connectionOnly
    case refused
    case contentLength
    case contentType
    case cookie
    case acceptEncoding
    case range
    case priority
    case expect

    /// Creates a field from its canonical name; compares the length first, because most names are not in this list.
    package init?(_ canonicalName: String) {
        switch canonicalName.utf8.count {
        case 2 where canonicalName == "te": self = .connectionOnly
        case 4 where canonicalName == "host": self = .host
        case 5 where canonicalName == "range": self = .range
        case 6 where canonicalName == "cookie": self = .cookie
        case 6 where canonicalName == "expect": self = .expect
        case 7 where canonicalName == "upgrade": self = .refused
        case 7 where canonicalName == "trailer": self = .connectionOnly
        case 8 where canonicalName == "priority": self = .priority
        case 10 where canonicalName == "connection": self = .connection
        case 10 where canonicalName == "keep-alive": self = .connectionOnly
        case 12 where canonicalName == "content-type": self = .contentType
        case 14 where canonicalName == "content-length": self = .contentLength
        case 15 where canonicalName == "accept-encoding": self = .acceptEncoding
        case 16 where canonicalName == "proxy-connection": self = .connectionOnly
        case 19 where canonicalName == "proxy-authorization": self = .connectionOnly
        case 17 where canonicalName == "transfer-encoding": self = .refused
        default: return nil
        }
    }

    /// True if the engine writes the field itself, or omits it.
    package var isDropped: Bool {
        switch self {
        case .host, .connection, .connectionOnly, .refused, .contentLength, .expect: true
        case .contentType, .cookie, .acceptEncoding, .range, .priority: false
        }
    }

    /// Returns true if a field with this name is dropped.
    package static func isDropped(_ canonicalName: String) -> Bool { EngineField(canonicalName)?.isDropped ?? false }
}

extension HTTPFields {
    /// The fields with all cookies in one field.
    ///
    /// HTTPTypes splits cookies at each assignment, as HTTP/2 may, but HTTP/1.1 must not (RFC 6265, section 5.4; RFC
    /// 9113, section 8.2.3).
    ///
    /// They are joined as bytes, because they need not be UTF-8.
    package var withOneCookie: HTTPFields {
        let cookies = self[fields: .cookie].map { field in field.withUnsafeBytesOfValue { [UInt8]($0) } }
        var joined = HTTPFields()
        var isWritten = false
        for field in self {
            if field.name != .cookie {
                joined.append(field)
            } else if !isWritten {
                isWritten = true
                joined.append(HTTPField(name: .cookie, value: Array(cookies.joined(separator: "; ".utf8))))
            }
        }
        return joined
    }
}
