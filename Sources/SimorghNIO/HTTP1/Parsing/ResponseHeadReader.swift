// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

/// Puts the head of a response together, line by line.
///
/// What is no proper field is refused, not repaired: a response that two readers may take in two ways is an attacker's
/// way in. Three forms that RFC 9112 lets or makes a client accept are read: a line may end in LF alone, a field may
/// continue on the next line, and equal lengths may be repeated.
struct ResponseHeadReader {
    private var status = 0
    private var isHTTP11 = false
    private var fields = HTTPFields()
    private var contentLength = ContentLengthField()
    /// The values of all fields `Transfer-Encoding`, joined by commas.
    private var transferCodings: String?
    private var closes = false
    private var keepsAlive = false
    private var codings: [String] = []
    /// The role of the last field, which may still continue on the next line.
    private var pending = KnownField.Role.none
    private var folded = FoldedValue()
    /// True if the head answers `CONNECT`: a success has no body then, and its framing fields mean nothing.
    private let isConnect: Bool
    /// True if the fields are not those of ``lines``, one by one.
    private(set) var isMended = false

    /// Where the fields stand behind the beginning of the status line, if all of them came at once.
    private(set) var lines: [HeadMemory.Line] = []
    private var base: UInt = 0

    /// How many fields there are so far.
    private(set) var count = 0

    init(isConnect: Bool = false) { self.isConnect = isConnect }

    /// Takes the first line: `HTTP/1.1 200`, and behind it nothing, or a blank and any words.
    mutating func takeStatusLine(_ line: UnsafeRawBufferPointer) throws(ResponseParser.Fault) {
        let versions = UInt8(ascii: "0")...UInt8(ascii: "1")
        guard line.count >= 12, Self.isOurs(line), versions.contains(line[7]), line[8] == UInt8(ascii: " ") else {
            throw .malformed("the server does not speak HTTP/1")
        }
        for index in 9..<12 {
            guard line[index].isASCIIDigit else { throw .malformed("the status is not a number of three digits") }
            status = status * 10 + Int(line[index] - UInt8(ascii: "0"))
        }
        guard line.count == 12 || line[12] == UInt8(ascii: " "), status >= 100 else {
            throw .malformed("the status is not a number of three digits")
        }
        guard line.count == 12 || HeaderRules.isValue(UnsafeRawBufferPointer(rebasing: line[12...])) else {
            throw .malformed("the words behind the status hold a control character")
        }
        isHTTP11 = line[7] > UInt8(ascii: "0")
        fields.reserveCapacity(16)
        lines.reserveCapacity(16)
        base = UInt(bitPattern: line.baseAddress)
    }

    /// Whether bytes begin as our protocol does, as far as they go.
    static func isOurs(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let name: StaticString = "HTTP/1."
        for index in 0..<min(bytes.count, name.utf8CodeUnitCount) where bytes[index] != name.utf8Start[index] {
            return false
        }
        return true
    }

    /// Takes a field; one that stood in the last head, too, is not read again.
    mutating func takeField(_ line: UnsafeRawBufferPointer, _ memory: HeadMemory) throws(ResponseParser.Fault) {
        guard !FoldedValue.isContinuation(line) else { return try takeContinuation(line) }
        try settle()
        let field: HTTPField
        let role: KnownField.Role
        if let known = memory.field(at: count, line) {
            (field, role) = known
        } else {
            (field, role) = try Self.read(line)
        }
        pending = role
        fields.append(field)
        // Where the bytes came in parts the places mean nothing, and are not used.
        lines.append(
            HeadMemory.Line(
                start: Int(truncatingIfNeeded: UInt(bitPattern: line.baseAddress) &- base),
                count: line.count, role: role))
        count += 1
    }

    /// Takes a line that continues the field before it.
    private mutating func takeContinuation(_ line: UnsafeRawBufferPointer) throws(ResponseParser.Fault) {
        // In front of the first field, readers disagree whether such a line is one (RFC 9112, section 2.2).
        guard let last = fields.last else { throw .malformed("the first field begins with a blank") }
        folded.add(line, to: last)
        isMended = true
    }

    /// Reads the meaning of the last field, which is whole now.
    mutating func settle() throws(ResponseParser.Fault) {
        guard let last = fields.indices.last else { return }
        if isMended, let whole = try folded.take(fields[last].name) { fields[last] = whole }
        guard pending != .none else { return }
        let role = pending
        pending = .none
        try take(role, fields[last].value)
    }

    private static func read(
        _ line: UnsafeRawBufferPointer
    ) throws(ResponseParser.Fault) -> (HTTPField, KnownField.Role) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed("a field has no colon") }
        guard let (name, role) = KnownField.name(UnsafeRawBufferPointer(rebasing: line[..<colon])) else {
            throw .malformed("a field's name is not a token")
        }
        return (try field(name, UnsafeRawBufferPointer(rebasing: line[(colon + 1)...])), role)
    }

    static func field(
        _ name: HTTPField.Name, _ bytes: UnsafeRawBufferPointer
    ) throws(ResponseParser.Fault) -> HTTPField {
        let value = UnsafeRawBufferPointer(rebasing: bytes.trimmingBlanks)
        guard HeaderRules.isValue(value) else {
            // Other control characters are no danger to the framing, and are kept (RFC 9110, section 5.5).
            guard HeaderRules.isReceivable(value) else {
                throw .malformed("the value of the field \(name.rawName) holds CR, LF or NUL")
            }
            return HTTPField(name: name, lenientValue: value)
        }
        // What is not ASCII may not be UTF-8 either, and is kept as the bytes that it is.
        return HeaderRules.isASCII(value)
            ? HTTPField(name: name, value: String(decoding: value, as: UTF8.self)) : HTTPField(name: name, value: value)
    }

    private mutating func take(_ role: KnownField.Role, _ value: String) throws(ResponseParser.Fault) {
        if opensTunnel, role == .contentLength || role == .transferEncoding { return }
        // Letters of other scripts may become ours when they are made small: a K of Kelvin in "chunKed".
        guard role == .contentEncoding || value.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw .malformed("a field that frames the message is not ASCII")
        }
        switch role {
        case .none: break
        case .connection: takeConnection(value)
        case .contentEncoding: codings += Self.words(value).filter { !ContentCodings.isLabel($0) }
        case .transferEncoding: transferCodings = transferCodings.map { "\($0),\(value)" } ?? value
        case .contentLength:
            try contentLength.take(value)
            if contentLength.isRepeated { isMended = true }
        }
    }

    /// True if it is a proxy's word that the connection is a tunnel from here on (RFC 9110, section 9.3.6).
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

    /// The head is whole.
    ///
    /// - Parameter isHead: Whether it answers a `HEAD` request, and so has no body whatever its fields say.
    /// - Returns: The head, and how the body behind it is framed.
    /// - Throws: ``ResponseParser/Fault``.
    consuming func finish(isHead: Bool) throws(ResponseParser.Fault) -> (ResponseHead, ResponseParser.Framing) {
        try settle()
        if contentLength.isRepeated, let length = contentLength.length { fields.unifyLength(length) }
        let contentLength = contentLength.length
        let hasBody = !isHead && status != 204 && status != 304 && status >= 200 && !opensTunnel
        // Also where the status allows no body (RFC 9112, 6.1): whoever stands before us may have taken one for its.
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
        // Whoever says both means the careful one; and HTTP/1.0 knows no transfer codings, so who uses one is confused.
        let mayKeep = !closes && (isHTTP11 || keepsAlive && transferCodings == nil)
        let head = ResponseHead(
            response: HTTPResponse(status: .init(code: status), headerFields: fields),
            shape: ExchangeMachine.Shape(status: status, keepsAlive: mayKeep, isUntilClose: framing == .untilClose),
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
