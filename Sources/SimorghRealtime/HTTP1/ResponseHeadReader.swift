// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

/// Parses the head of a response, line by line.
///
/// An invalid field is rejected, not repaired, because an attacker could exploit a response that two parsers
/// understand differently. Three forms that RFC 9112 allows or requires a client to accept are accepted: a line may
/// end in LF alone, a field may continue on the next line, and equal lengths may be repeated.
struct ResponseHeadReader {
    private var status = 0
    private var isHTTP11 = false
    private var fields = HTTPFields()
    private var contentLength = ContentLengthField()
    /// The values of all `Transfer-Encoding` fields, joined by commas.
    private var transferCodings: String?
    private var closes = false
    private var keepsAlive = false
    private var codings: [String] = []
    /// The role of the last field, which may still continue on the next line.
    private var pending = KnownField.Role.none
    private var folded = FoldedValue()
    /// True for a response to `CONNECT`: a success has no body, and its framing fields have no meaning.
    private let isConnect: Bool
    /// True if the fields do not correspond one to one to ``lines``.
    private(set) var hasRewrittenFields = false

    /// The ranges of the fields relative to the status line, if all bytes arrived at once.
    private(set) var lines: [ResponseHeadCache.Line] = []
    private var base: UInt = 0

    /// The number of fields so far.
    private(set) var count = 0

    init(isConnect: Bool = false) { self.isConnect = isConnect }

    /// Parses the status line: `HTTP/1.1 200`, optionally followed by a space and a reason phrase.
    mutating func takeStatusLine(_ line: UnsafeRawBufferPointer) throws(ResponseParser.ParseError) {
        let versions = UInt8(ascii: "0")...UInt8(ascii: "1")
        guard line.count >= 12, Self.isHTTP1(line), versions.contains(line[7]), line[8] == UInt8(ascii: " ") else {
            throw .malformed("the server does not speak HTTP/1")
        }
        for index in 9..<12 {
            guard line[index].isASCIIDigit else { throw .malformed("the status code is not a number of three digits") }
            status = status * 10 + Int(line[index] - UInt8(ascii: "0"))
        }
        guard line.count == 12 || line[12] == UInt8(ascii: " "), status >= 100 else {
            throw .malformed("the status code is not a number of three digits")
        }
        guard line.count == 12 || HeaderRules.isValue(UnsafeRawBufferPointer(rebasing: line[12...])) else {
            throw .malformed("the reason phrase contains a control character")
        }
        isHTTP11 = line[7] > UInt8(ascii: "0")
        fields.reserveCapacity(16)
        lines.reserveCapacity(16)
        base = UInt(bitPattern: line.baseAddress)
    }

    /// Returns true if the bytes begin with `HTTP/1.`, or with a prefix of it if there are fewer bytes.
    static func isHTTP1(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let name: StaticString = "HTTP/1."
        for index in 0..<min(bytes.count, name.utf8CodeUnitCount) where bytes[index] != name.utf8Start[index] {
            return false
        }
        return true
    }

    /// Parses a field; a line that equals the cached one is not parsed again.
    mutating func takeField(_ line: UnsafeRawBufferPointer, cache: ResponseHeadCache) throws(ResponseParser.ParseError)
    {
        guard !FoldedValue.isContinuation(line) else { return try takeContinuation(line) }
        try settle()
        let field: HTTPField
        let role: KnownField.Role
        if let known = cache.field(at: count, matching: line) {
            (field, role) = known
        } else {
            (field, role) = try Self.read(line)
        }
        pending = role
        fields.append(field)
        // If the bytes arrived in parts, these ranges are meaningless, and are not used.
        lines.append(
            ResponseHeadCache.Line(
                start: Int(truncatingIfNeeded: UInt(bitPattern: line.baseAddress) &- base),
                count: line.count, role: role))
        count += 1
    }

    /// Parses a line that continues the previous field.
    private mutating func takeContinuation(_ line: UnsafeRawBufferPointer) throws(ResponseParser.ParseError) {
        // Before the first field, parsers disagree about such a line (RFC 9112, section 2.2).
        guard let last = fields.last else { throw .malformed("the first header field begins with whitespace") }
        folded.add(line, to: last)
        hasRewrittenFields = true
    }

    /// Interprets the last field, which is complete now.
    mutating func settle() throws(ResponseParser.ParseError) {
        guard let last = fields.indices.last else { return }
        if hasRewrittenFields, let whole = try folded.take(fields[last].name) { fields[last] = whole }
        guard pending != .none else { return }
        let role = pending
        pending = .none
        try take(role, value: fields[last].value)
    }

    private static func read(
        _ line: UnsafeRawBufferPointer
    ) throws(ResponseParser.ParseError) -> (HTTPField, KnownField.Role) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed("a field has no colon") }
        guard let (name, role) = KnownField.name(UnsafeRawBufferPointer(rebasing: line[..<colon])) else {
            throw .malformed("the name of a header field is not a token")
        }
        return (try field(name, value: UnsafeRawBufferPointer(rebasing: line[(colon + 1)...])), role)
    }

    static func field(
        _ name: HTTPField.Name, value bytes: UnsafeRawBufferPointer
    ) throws(ResponseParser.ParseError) -> HTTPField {
        let value = UnsafeRawBufferPointer(rebasing: bytes.trimmingBlanks)
        guard HeaderRules.isValue(value) else {
            // Other control characters do not affect the framing, and are kept (RFC 9110, section 5.5).
            guard HeaderRules.isReceivable(value) else {
                throw .malformed("the value of the field \(name.rawName) contains CR, LF or NUL")
            }
            return HTTPField(name: name, lenientValue: value)
        }
        // Bytes that are not ASCII may not be UTF-8 either, and are kept unchanged.
        return HeaderRules.isASCII(value)
            ? HTTPField(name: name, value: String(decoding: value, as: UTF8.self)) : HTTPField(name: name, value: value)
    }

    private mutating func take(_ role: KnownField.Role, value: String) throws(ResponseParser.ParseError) {
        if opensTunnel, role == .contentLength || role == .transferEncoding { return }
        // Lowercasing may turn other letters into ASCII: the Kelvin sign in "chunKed" would become a k.
        guard role == .contentEncoding || value.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw .malformed("a header field for the message framing is not ASCII")
        }
        switch role {
        case .none: break
        case .connection: takeConnection(value)
        case .contentEncoding: codings += Self.words(value).filter { !ContentCodings.isLabel($0) }
        case .transferEncoding: transferCodings = transferCodings.map { "\($0),\(value)" } ?? value
        case .contentLength:
            try contentLength.take(value)
            if contentLength.isRepeated { hasRewrittenFields = true }
        }
    }

    /// True if the response of a proxy turns the connection into a tunnel (RFC 9110, section 9.3.6).
    private var opensTunnel: Bool { isConnect && (200..<300).contains(status) }

    private mutating func takeConnection(_ value: String) {
        switch value {
        case "keep-alive": keepsAlive = true
        case "close": closes = true
        default:
            let words = Self.words(value)
            if words.contains("keep-alive") { keepsAlive = true }
            if words.contains("close") { closes = true }
        }
    }

    /// Ends the head.
    ///
    /// - Parameter isHead: True for a response to `HEAD`, which has no body whatever its fields say.
    /// - Returns: The head, and the framing of its body.
    /// - Throws: ``ResponseParser/Fault``.
    consuming func finish(isHead: Bool) throws(ResponseParser.ParseError) -> (ResponseHead, ResponseParser.Framing) {
        try settle()
        if contentLength.isRepeated, let length = contentLength.length { fields.unifyLength(length) }
        let contentLength = contentLength.length
        let hasBody = !isHead && status != 204 && status != 304 && status >= 200 && !opensTunnel
        // Also for a status without a body (RFC 9112, section 6.1): an intermediary may have used either field as the
        // framing.
        guard isHead || transferCodings == nil || contentLength == nil else {
            throw .malformed("the body has two lengths: Content-Length and Transfer-Encoding")
        }
        let framing: ResponseParser.Framing
        if !hasBody {
            framing = .none
        } else if let transferCodings {
            framing = try TransferCodings(transferCodings).framing()
        } else {
            framing = contentLength.map { .length($0) } ?? .untilClose
        }
        // "close" wins over "keep-alive". HTTP/1.0 has no transfer codings, so a response that uses one is not
        // trusted.
        let mayKeep = !closes && (isHTTP11 || keepsAlive && transferCodings == nil)
        let head = ResponseHead(
            response: HTTPResponse(status: .init(code: status), headerFields: fields),
            shape: ResponseShape(
                status: status, keepsAlive: mayKeep, isUntilClose: framing == .untilClose),
            contentLength: hasBody ? contentLength : nil,
            hasBody: framing != .none && framing != .length(0),
            codings: hasBody ? codings : []
        )
        return (head, framing)
    }

    private static func words(_ list: String) -> [String] {
        list.lowercased().utf8.split(whereSeparator: { ", \t".utf8.contains($0) }).map { String(Substring($0)) }
    }

}
