// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import TestSupport

/// A random request, and the facts needed to check it on the wire.
struct RandomRequest {
    enum Variety {
        /// Everything that may be sent.
        case wellFormed
        /// The same, for a connection to a server that answers after the body.
        case direct
        /// Including much that must not be sent.
        case odd
    }

    /// The source of a body.
    enum Source: CaseIterable {
        case nothing, bytes, knownChunks, chunks
    }

    private(set) var request: TransportRequest
    let source: Source
    /// The body.
    let pieces: [[UInt8]]
    let hasTrailers: Bool
    /// True if the request goes to a proxy, with a user name and password.
    let isForProxy: Bool

    static let trailer = (name: "X-Digest", value: "abc")
    static let otherHost = "other.example:81"
    static let proxyCredentials = "zal:feather"

    private static let methods = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND", "QUERY", "get",
        "M!#$%&'*+-.^_`|~9",
    ]
    private static let authorities = [
        "example.com", "EXAMPLE.com:8080", "a_b.example", "[2001:db8::1]:81", "192.0.2.1", "xn--e1afmkfd.example:65535",
    ]
    private static let oddAuthorities = ["a b", "a\r\nX: y", "a\0", "zal@a", "", "a/b", "a\r\n", "a:1\r"]
    private static let oddPaths = [
        "a", "/a b", "/a\r\nX: y", "/a\r\n\r\nGET /b", "/\0", "/\u{E9}", "/a#b", "http://a/", "/\u{7F}", "/a\n",
    ]
    private static let names = [
        "Accept", "User-Agent", "X-A", "x_b", "!#$%&'*+-.^_`|~09azAZ", "Authorization", "Cookie", "Cookie", "Host",
        "Accept-Encoding", "Range", "Priority", "Content-Type", "Connection", "Keep-Alive", "Proxy-Connection", "TE",
        "Trailer", "Proxy-Authorization", "Content-Length", "Expect",
    ]
    private static let oddNames = [
        "Transfer-Encoding", "Upgrade", "", " X", "X ", "X Y", "X:", ":path", "X\r\nY", "X\n", "X\0", "X\u{E9}", "X\t",
    ]
    private static let types = ["text/plain; charset=utf-8", "a/b", "a/\u{E9}", ""]
    private static let oddTypes = ["a\r\nX: y", "a\nb", "a\r", "a\0", "a\u{1}", "a\u{7F}", "a\r\n\r\nGET / HTTP/1.1"]
    private static let oddLengths = ["-1", "+3", "0x3", "3, 3", "3 3", "", "99999999999999999999", "-0", "1", "\r\n1"]

    /// Creates a random request.
    ///
    /// - Parameters:
    ///   - manner: The kinds of content that it may have.
    ///   - random: The source of randomness.
    /// - Throws: `InvalidRequestError` if the trailer's name is forbidden.
    init(_ manner: Variety, _ random: inout SeededNumbers) throws {
        let method = Self.pick(Self.methods, &random)
        let isForProxy = Self.chance(4, unless: manner == .direct, &random)
        // TRACE has no body (RFC 9110, section 9.3.8), and NIO drops the fields that would frame one.
        let source = method == "TRACE" ? Source.nothing : Self.pick(Source.allCases, &random)
        let pieces = source == .nothing ? [] : Self.pieces(isOne: source == .bytes, &random)
        let hasTrailers = Self.chance(5, unless: manner == .direct || source == .nothing, &random)
        var body = Self.body(source, pieces, Self.mediaType(manner, &random))
        if hasTrailers { body = try body.withTrailers([Self.trailer.name]) { [Self.trailer.name: Self.trailer.value] } }
        let isSecure = Self.chance(3, unless: manner == .direct || isForProxy, &random)
        request = TransportRequest(
            head: HTTPRequest(
                method: HTTPRequest.Method(Self.isStrange(manner, &random) ? "GET /\r\n" : method) ?? .get,
                scheme: isSecure ? "https" : "http", authority: Self.authority(manner, &random),
                path: Self.path(manner, mayBeStar: !isForProxy, &random)),
            body: body)
        request.options.decompresses = Bool.random(using: &random)
        request.options.priority = Self.pick(RequestPriority.allCases, &random)
        if Bool.random(using: &random) { request.options.delivery = .streamed }
        if Self.chance(8, unless: manner == .direct, &random) { request.options.continueTimeout = .seconds(1) }
        if isForProxy { request.options.route.proxy = .url("http://\(Self.proxyCredentials)@proxy.example:3128") }
        self.source = source
        self.pieces = pieces
        self.hasTrailers = hasTrailers
        self.isForProxy = isForProxy
        for _ in 0..<Int.random(in: 0..<9, using: &random) { addField(manner, &random) }
    }

    private mutating func addField(_ manner: Variety, _ random: inout SeededNumbers) {
        let text = Self.isStrange(manner, &random) ? Self.pick(Self.oddNames, &random) : Self.pick(Self.names, &random)
        let isStrange = Self.isStrange(manner, &random)
        // A request with Expect needs a server that answers it with 100.
        guard let name = HTTPField.Name(Self.inSomeCase(text, &random)),
            manner != .direct || name.canonicalName != "expect"
        else { return }
        let field: HTTPField
        switch name.canonicalName {
        // A chunked body must match the caller's Content-Length, so that one has to be correct.
        case "content-length" where isStrange && source != .chunks:
            field = HTTPField(name: name, value: Self.pick(Self.oddLengths, &random))
        case "content-length": field = HTTPField(name: name, value: String(length))
        case "host" where !isStrange: field = HTTPField(name: name, value: Self.otherHost)
        case "connection":
            let values = isStrange ? ["upgrade", "x", "close x"] : ["close", "keep-alive", "Close, keep-alive", ""]
            field = HTTPField(name: name, value: Self.pick(values, &random))
        case _ where isStrange: field = HTTPField(name: name, lenientValue: random.bytes(8))
        default: field = HTTPField(name: name, value: Self.value(&random))
        }
        request.head.headerFields.append(field)
    }

    /// Addresses the request to a server of the test.
    mutating func address(_ server: RawServer) { request.head.authority = server.authority }

    /// The length of the body in bytes.
    var length: Int { pieces.reduce(0) { $0 + $1.count } }

    private static func chance(_ one: Int, unless isNone: Bool, _ random: inout SeededNumbers) -> Bool {
        !isNone && Int.random(in: 0..<one, using: &random) == 0
    }

    private static func isStrange(_ manner: Variety, _ random: inout SeededNumbers) -> Bool {
        chance(12, unless: manner != .odd, &random)
    }

    private static func pick<Value>(_ values: [Value], _ random: inout SeededNumbers) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private static func inSomeCase(_ name: String, _ random: inout SeededNumbers) -> String {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: name.lowercased()
        case 1: name.uppercased()
        default: name
        }
    }

    private static func pieces(isOne: Bool, _ random: inout SeededNumbers) -> [[UInt8]] {
        // Sometimes more than fits into one write with the head.
        let most = Int.random(in: 0..<16, using: &random) == 0 ? 70_000 : 40
        let count = isOne ? 1 : Int.random(in: 0..<4, using: &random)
        return (0..<count).map { _ in
            let size = Int.random(in: 0...most, using: &random)
            return random.bytes(size)
        }
    }

    private static func mediaType(_ manner: Variety, _ random: inout SeededNumbers) -> String? {
        if isStrange(manner, &random) { return pick(oddTypes, &random) }
        return Bool.random(using: &random) ? pick(types, &random) : nil
    }

    private static func authority(_ manner: Variety, _ random: inout SeededNumbers) -> String {
        isStrange(manner, &random) ? pick(oddAuthorities, &random) : pick(authorities, &random)
    }

    private static func body(_ source: Source, _ pieces: [[UInt8]], _ type: String?) -> RequestBody {
        let chunks: @Sendable () -> AsyncThrowingStream<Data, any Error> = {
            AsyncThrowingStream { stream in
                for piece in pieces { stream.yield(Data(piece)) }
                stream.finish()
            }
        }
        let length = Int64(pieces.reduce(0) { $0 + $1.count })
        return switch source {
        case .nothing: .empty
        case .bytes: .bytes(Data(pieces.joined()), contentType: type)
        case .knownChunks: .stream(length: length, contentType: type, chunks)
        case .chunks: .stream(contentType: type, chunks)
        }
    }

    /// Returns a random path of visible ASCII, except for the character that begins a fragment.
    private static func path(_ manner: Variety, mayBeStar: Bool, _ random: inout SeededNumbers) -> String {
        if isStrange(manner, &random) { return pick(oddPaths, &random) }
        if mayBeStar, Int.random(in: 0..<20, using: &random) == 0 { return "*" }
        if Int.random(in: 0..<20, using: &random) == 0 { return "" }
        func text(_ random: inout SeededNumbers) -> String {
            let bytes = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                UInt8.random(in: 0x21...0x7E, using: &random)
            }
            return String(decoding: bytes.filter { $0 != UInt8(ascii: "#") }, as: UTF8.self)
        }
        let query = Bool.random(using: &random) ? "?" + text(&random) : ""
        return "/" + text(&random) + query
    }

    /// Returns a random field value: visible ASCII with blanks and tabs, UTF-8 text, or bytes that are not UTF-8.
    private static func value(_ random: inout SeededNumbers) -> [UInt8] {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: []
        case 1: Array("na\u{EF}ve \u{646}".utf8)
        case 2: (0..<Int.random(in: 1..<12, using: &random)).map { _ in UInt8.random(in: 0x80...0xFF, using: &random) }
        case 3: Array("a=1; b=\"2\",\t, c".utf8)
        default:
            (0..<Int.random(in: 1..<40, using: &random)).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) }
        }
    }
}
