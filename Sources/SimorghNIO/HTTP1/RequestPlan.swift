// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import NIOCore
import NIOFoundationEssentialsCompat
package import SimorghCore
import SimorghSupport

/// A request that was validated and framed before a connection is requested; it is serialized once the HTTP version of
/// the connection is known.
///
/// The caller cannot contradict what the engine decides:
/// - `Host` is the authority of the URL, unless the caller sets a `Host` field: then the server is asked for that
///   host, but the connection still goes to the host of the URL.
/// - `Content-Length` follows from the body. The caller's own value must be equal; if the length of the body is
///   unknown, the body must have the length that the caller promises.
/// - `Transfer-Encoding` and `Upgrade` are rejected, because dropping them would change the meaning of the request.
/// - `Connection` may contain `close`, which is kept, or `keep-alive`, which is the default; anything else is
///   rejected.
/// - `Proxy-Authorization` follows from the URL of the proxy, and is sent only to the proxy; the caller's field is
///   dropped.
/// - `Keep-Alive`, `Proxy-Connection`, `TE` and `Trailer` concern a single connection and are dropped, so that the
///   fields of an incoming request can be forwarded. `Trailer` follows from the body.
package final class RequestPlan: Sendable {
    /// The part of a request that follows the head.
    enum Upload: Sendable {
        /// There is no body, or it is small and written together with the head.
        case none
        /// Bytes in memory.
        case bytes(Data)
        /// Chunks; with a length if it is promised, otherwise sent in chunked coding.
        case chunks(@Sendable () -> any AsyncIteratorProtocol<Data, any Error>, length: Int64?)
    }

    /// The maximum size of a body that is written together with the head, in bytes.
    static let smallBody = 32 * 1024
    /// The time to wait for `100 Continue` if only the field `Expect` asks for it; the same as in curl.
    private static let continueTimeout = Duration.seconds(1)

    let request: TransportRequest
    /// The parts of the request line and of `Host`, read once: each access to the head calls another module and copies
    /// a field.
    let method: HTTPRequest.Method
    let authority: String
    /// The host that the server is asked for: `Host` in HTTP/1.1, `:authority` in HTTP/2.
    let host: String
    let path: String
    package let origin: Origin
    let upload: Upload
    /// The caller's fields, with all cookies in one field; fields that the engine sets are still among them.
    let fields: HTTPFields
    /// The media type of the body, if the caller's fields do not have it.
    let addedContentType: String?
    /// The value of the field `Priority`, if the caller's fields do not have it; `nil` if there is nothing to send.
    let addedPriority: StaticString?
    /// The length of the body, if it is announced.
    let announcedLength: Int64?
    /// True if the engine requests compression, and so has to decode the response.
    let decompresses: Bool
    /// True if the request asks to close the connection after the response.
    let closes: Bool
    /// The time that the body waits for `100 Continue`; `nil` if it follows the head at once.
    let continueTimeout: Duration?

    /// The requested protocol that replaces HTTP.
    private let upgrade: String?

    /// True if HTTP/1.1 sends the body in chunked coding, because its length is unknown or trailers follow it.
    var isChunked: Bool {
        guard case .chunks(_, let length) = upload else { return false }
        return length == nil || request.body.trailers != nil
    }

    var isHead: Bool { method == .head }

    /// True if the request may be sent again although the server may have processed it (RFC 9110, section 9.2.2).
    var isReplayable: Bool {
        switch method {
        case .get, .head, .put, .delete, .options, .trace: request.body.replayability > .once
        default: false
        }
    }

    /// Creates a plan for a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - mayWait: True if its body may wait for `100 Continue`, if the request asks for that.
    ///   - versions: The HTTP versions to allow; `nil` for those of the request's options.
    ///   - upgrade: The protocol that the request asks for in place of HTTP; `nil` for none.
    /// - Throws: `TransportError` for a request that is invalid without asking a server.
    package convenience init(
        _ request: borrowing TransportRequest, mayWait: Bool = true, versions: Origin.Versions? = nil,
        upgrade: String? = nil
    ) throws(TransportError) {
        // Most requests are sent unchanged, and a copy costs more than this check.
        if Self.isAsIs(request) {
            try self.init(asIs: copy request, mayWait: mayWait, versions: versions, upgrade: upgrade)
        } else {
            let prepared = try (copy request).onUnixSocket().withCodedBody()
            try self.init(asIs: prepared, mayWait: mayWait, versions: versions, upgrade: upgrade)
        }
    }

    private static func isAsIs(_ request: borrowing TransportRequest) -> Bool {
        if request.body.coding != nil { return false }
        guard let scheme = request.head.scheme else { return true }
        return !UnixSocketURL.isUnixSocket(scheme)
    }

    private init(
        asIs request: consuming TransportRequest, mayWait: Bool, versions: Origin.Versions?, upgrade: String?
    ) throws(TransportError) {
        origin = try Origin(of: request, versions: versions, isUpgrade: upgrade != nil)
        self.upgrade = upgrade
        let (method, authority) = (request.head.method, request.head.authority ?? "")
        let path = request.head.path ?? "/"
        self.method = method
        self.authority = authority
        self.path = path
        var fields = Fields()
        try fields.take(request.head.headerFields)
        host = fields.hasHost ? try Self.host(of: request.head.headerFields) ?? authority : authority
        let length = try Self.length(of: request.body, promised: fields.contentLength)
        decompresses = request.options.decompresses && !fields.hasAcceptEncoding && !fields.hasRange
        closes = fields.closes
        let isWaiting = fields.expectsContinue || request.options.continueTimeout != nil
        let continueTimeout =
            mayWait && isWaiting && !request.body.isEmpty
            ? request.options.continueTimeout ?? Self.continueTimeout : nil
        self.continueTimeout = continueTimeout
        let hasTrailers = request.body.trailers != nil
        switch request.body.content {
        case .bytes where hasTrailers: upload = .chunks({ [body = request.body] in body.makeChunks() }, length: length)
        case .empty, .encodable, .pieces: upload = .none
        case .bytes(let bytes) where bytes.count <= Self.smallBody && continueTimeout == nil: upload = .none
        case .bytes(let bytes): upload = .bytes(bytes)
        case .chunks(let makeIterator): upload = .chunks(makeIterator, length: length)
        }
        self.fields = fields.cookies > 1 ? Self.withOneCookie(request.head.headerFields) : request.head.headerFields
        addedContentType = fields.hasContentType || request.body.isEmpty ? nil : request.body.contentType
        addedPriority = fields.hasPriority ? nil : Self.priority(request.options)
        announcedLength =
            hasTrailers ? nil : length.flatMap { $0 > 0 || Self.announcesEmptyBody(request, method: method) ? $0 : nil }
        try RequestRules.check(
            method: method.rawValue, authority: authority, path: path, usesAbsoluteForm: origin.asksProxy)
        self.request = consume request
        if let addedContentType { try RequestRules.check(addedContentType, of: .contentType) }
        if let proxyAuthorization { try RequestRules.check(proxyAuthorization, of: .proxyAuthorization) }
        if let upgrade { try RequestRules.check(upgrade, of: .upgrade) }
    }

    /// The credentials for a proxy that receives the request itself.
    private var proxyAuthorization: String? { origin.asksProxy ? origin.route?.proxy?.authorization : nil }

    /// Returns the head for HTTP/1.1, with a small body after it; its contents were validated when the plan was
    /// created.
    package func writeHead() -> ByteBuffer {
        var head = ByteBuffer()
        writeHead(into: &head)
        return head
    }

    /// Writes the same into an existing buffer.
    ///
    /// - Parameter head: The buffer, which is overwritten; NIO copies it first if it is still in use.
    package func writeHead(into head: inout ByteBuffer) {
        let (authorization, type) = (proxyAuthorization, addedContentType)
        var small: Data?
        if case .none = upload, case .bytes(let bytes) = request.body.content { small = bytes }
        let room =
            RequestHeadWriter.capacity(
                method: method.rawValue, authority: authority, host: host, path: path, fields: fields)
            + (authorization.map { $0.utf8.count + 32 } ?? 0)
            + (request.body.trailers.map { $0.announcement.utf8.count + 16 } ?? 0)
            + (type?.utf8.count ?? 0) + (upgrade?.utf8.count ?? 0)
        head.clear(minimumCapacity: room + (small?.count ?? 0))
        head.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { space in
            var writer = RequestHeadWriter(space)
            writer.writeRequestLine(
                method.rawValue, authority: authority, path: path, host: host, usesAbsoluteForm: origin.asksProxy)
            for index in fields.indices {
                let field = fields[index]
                if !EngineField.isDropped(field.name.canonicalName) { writer.write(field) }
            }
            if let authorization { writer.write("Proxy-Authorization: ", value: authorization) }
            if let upgrade {
                writer.write("Connection: Upgrade\r\n")
                writer.write("Upgrade: ", value: upgrade)
            } else if closes {
                writer.write("Connection: close\r\n")
            }
            if continueTimeout != nil { writer.write("Expect: 100-continue\r\n") }
            if decompresses { writer.write(KnownCoding.acceptField) }
            if let addedPriority { writer.write("Priority: ", value: addedPriority) }
            if let type { writer.write("Content-Type: ", value: type) }
            if let length = announcedLength {
                writer.write("Content-Length: ", value: String(length))
            } else if isChunked {
                writer.write("Transfer-Encoding: chunked\r\n")
            }
            if let trailers = request.body.trailers { writer.write("Trailer: ", value: trailers.announcement) }
            writer.write("\r\n")
            return writer.count
        }
        if let small { head.writeData(small) }
    }

    private static func host(of fields: HTTPFields) throws(TransportError) -> String? {
        do {
            return try HostField.value(in: fields)
        } catch {
            throw .invalid(error.reason, message: error.message)
        }
    }

    /// Returns the length to announce, in bytes; `nil` for chunked coding.
    private static func length(of body: RequestBody, promised: Int64?) throws(TransportError) -> Int64? {
        guard body.isEncoded else {
            throw .invalid(.encodingFailed, message: "the body was not encoded before it reached the transport")
        }
        guard let length = body.isEmpty ? 0 : body.length else { return promised }
        guard length >= 0, promised ?? length == length else {
            throw .invalid(.invalidHeader, message: "Content-Length differs from the length of the body, \(length)")
        }
        return length
    }

    /// Returns the value of `Priority` for a request's urgency (RFC 9218, section 4); `nil` for the default.
    private static func priority(_ options: TransportOptions) -> StaticString? {
        let isStreamed = options.delivery == .streamed
        switch options.priority {
        case .normal: return nil
        case .low: return isStreamed ? "u=6, i" : "u=6"
        case .high: return isStreamed ? "u=1, i" : "u=1"
        case .critical: return isStreamed ? "u=0, i" : "u=0"
        }
    }

    /// Returns true if an empty body needs a `Content-Length` field: the caller has set it, or the method implies a
    /// body.
    private static func announcesEmptyBody(_ request: TransportRequest, method: HTTPRequest.Method) -> Bool {
        guard request.body.isEmpty else { return true }
        switch method {
        case .post, .put, .patch: return true
        default: return false
        }
    }

    /// Returns the fields with all cookies in one field.
    ///
    /// HTTPTypes splits cookies at each assignment, as HTTP/2 may, but HTTP/1.1 must not (RFC 6265, section 5.4; RFC
    /// 9113, section 8.2.3).
    ///
    /// They are joined as bytes, because they need not be UTF-8.
    private static func withOneCookie(_ fields: HTTPFields) -> HTTPFields {
        let cookies = fields[fields: .cookie].map { field in field.withUnsafeBytesOfValue { [UInt8]($0) } }
        var joined = HTTPFields()
        var isWritten = false
        for field in fields {
            if field.name != .cookie {
                joined.append(field)
            } else if !isWritten {
                isWritten = true
                joined.append(HTTPField(name: .cookie, value: Array(cookies.joined(separator: "; ".utf8))))
            }
        }
        return joined
    }

    /// The parts of the caller's fields that concern the engine.
    private struct Fields {
        var contentLength: Int64?
        var cookies = 0
        var hasHost = false
        var hasContentType = false
        var hasAcceptEncoding = false
        var hasRange = false
        var hasPriority = false
        var closes = false
        var expectsContinue = false

        mutating func take(_ fields: HTTPFields) throws(TransportError) {
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
}

/// The header fields that the engine interprets or sets.
enum EngineField {
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
    init?(_ canonicalName: String) {
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
    var isDropped: Bool {
        switch self {
        case .host, .connection, .connectionOnly, .refused, .contentLength, .expect: true
        case .contentType, .cookie, .acceptEncoding, .range, .priority: false
        }
    }

    /// Returns true if a field with this name is dropped.
    static func isDropped(_ canonicalName: String) -> Bool { EngineField(canonicalName)?.isDropped ?? false }
}

extension TransportError {
    /// Creates the error of a request that is rejected before anything is sent; its cause is an ``InvalidRequestError``.
    static func invalid(_ reason: InvalidRequestError.Reason, message: String) -> TransportError {
        TransportError(
            reason == .invalidURL ? .badURL : .unknown,
            phase: .total,
            message: message,
            requestMayHaveBeenSent: false,
            underlying: InvalidRequestError(reason, message: message)
        )
    }
}
