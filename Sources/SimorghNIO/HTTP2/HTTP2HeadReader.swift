// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import NIOHPACK
package import SimorghCore
package import SimorghRealtime

/// Creates the head of a response, or trailers, from a decoded field block (RFC 9113, section 8).
///
/// As in HTTP/1.1, malformed fields are rejected, not repaired.
package enum HTTP2HeadReader {
    /// Returns the head of a response.
    ///
    /// - Parameters:
    ///   - fields: The received fields.
    ///   - isHead: True for the response to a `HEAD` request, which has no body whatever its fields say.
    ///   - isEnd: True if the stream ends with the head.
    ///   - limits: The limits of its size.
    /// - Returns: The head.
    /// - Throws: `ResponseParser.ParseError`.
    package static func head(
        of fields: HPACKHeaders, isHead: Bool, isEnd: Bool, limits: ResponseLimits
    ) throws(ResponseParser.ParseError) -> ResponseHead {
        var status: Int?
        var contentLength = ContentLengthField()
        var codings: [String] = []
        var read = try read(fields, limits: limits) { (role, name, value) throws(ResponseParser.ParseError) in
            switch role {
            case .pseudo:
                guard name == ":status", status == nil, let code = Self.status(value) else {
                    throw .malformed("the response has an invalid or repeated :status")
                }
                status = code
            case .contentLength:
                try contentLength.take(value)
            case .contentEncoding: codings += Self.words(value).filter { !ContentCodings.isLabel($0) }
            case .none: break
            }
        }
        guard let status else { throw .malformed("the response has no :status") }
        let length = contentLength.length
        if contentLength.isRepeated, let length { read.unifyLength(length) }
        guard status != 101 else { throw .malformed("HTTP/2 does not allow 101 Switching Protocols") }
        guard !isEnd || status >= 200 else { throw .malformed("the response ended with an interim response") }
        let hasBody = !isHead && status != 204 && status != 304 && status >= 200
        guard !isEnd || !hasBody || length ?? 0 == 0 else {
            throw .malformed("the body is shorter than Content-Length")
        }
        return ResponseHead(
            response: HTTPResponse(status: .init(code: status), headerFields: read),
            shape: ExchangeStateMachine.Shape(status: status, keepsAlive: true, isUntilClose: false),
            contentLength: hasBody ? length : nil,
            hasBody: hasBody && !isEnd,
            codings: hasBody ? codings : [])
    }

    /// Returns the trailers of a response.
    package static func trailers(
        of fields: HPACKHeaders, limits: ResponseLimits
    ) throws(ResponseParser.ParseError) -> HTTPFields {
        try read(fields, limits: limits) { (role, _, _) throws(ResponseParser.ParseError) in
            guard role != .pseudo else { throw .malformed("the trailers contain a pseudo-header field") }
        }
    }

    private enum Role {
        case none
        case pseudo
        case contentLength
        case contentEncoding
    }

    private static func read(
        _ fields: HPACKHeaders, limits: ResponseLimits,
        take: (Role, String, String) throws(ResponseParser.ParseError) -> Void
    ) throws(ResponseParser.ParseError) -> HTTPFields {
        var read = HTTPFields()
        read.reserveCapacity(fields.count)
        var bytes = 0
        for (name, value, _) in fields {
            bytes += name.utf8.count + value.utf8.count + 4
            guard bytes <= limits.headBytes else { throw .headTooLarge(limits.headBytes) }
            if name.utf8.first == UInt8(ascii: ":") {
                guard read.isEmpty else { throw .malformed("a pseudo-header field follows a regular field") }
                try take(.pseudo, name, value)
                continue
            }
            let (known, role) = try Self.name(name)
            guard value.utf8.first?.isBlank != true, value.utf8.last?.isBlank != true else {
                throw .malformed("the value of the field \(known.rawName) begins or ends with whitespace")
            }
            let isPlain = value.utf8.allSatisfy(HeaderRules.isValueByte)
            guard isPlain || value.utf8.allSatisfy(HeaderRules.isReceivableByte) else {
                throw .malformed("the value of the field \(known.rawName) contains CR, LF or NUL")
            }
            switch role {
            case .none: break
            case .contentLength: try take(.contentLength, name, value)
            case .contentEncoding: try take(.contentEncoding, name, value)
            case .connection, .transferEncoding:
                throw .malformed("the field \(known.rawName) is not allowed in HTTP/2")
            }
            read.append(
                isPlain
                    ? HTTPField(name: known, value: value) : HTTPField(name: known, lenientValue: Array(value.utf8)))
            if read.count > min(limits.headerFields, 60_000) { throw .tooManyFields(limits.headerFields) }
        }
        return read
    }

    private static func name(_ name: String) throws(ResponseParser.ParseError) -> (HTTPField.Name, KnownField.Role) {
        let known = name.withBytes { bytes -> (HTTPField.Name, KnownField.Role)? in
            guard !bytes.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else { return nil }
            return KnownField.name(bytes)
        }
        guard let known else { throw .malformed("a field's name is not a lowercase token") }
        switch known.0.canonicalName {
        case "keep-alive", "proxy-connection", "upgrade":
            throw .malformed("the field \(name) is not allowed in HTTP/2")
        default: return known
        }
    }

    private static func status(_ value: String) -> Int? {
        guard value.utf8.count == 3, value.utf8.allSatisfy(\.isASCIIDigit), let status = Int(value), status >= 100
        else {
            return nil
        }
        return status
    }

    private static func words(_ list: String) -> [String] {
        list.lowercased().utf8.split(whereSeparator: { ", \t".utf8.contains($0) }).map { String(Substring($0)) }
    }
}
