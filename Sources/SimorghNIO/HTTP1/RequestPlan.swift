// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import NIOCore
import NIOFoundationEssentialsCompat
package import SimorghCore
import SimorghSupport

/// A request as it goes on the wire: checked and framed before a connection is asked for, written down once it is known
/// which version of HTTP that speaks.
///
/// What the engine decides, the caller cannot contradict:
/// - `Host` is the authority of the URL, unless the caller sets a `Host` field: the server is then asked for that host, and
///   the connection still goes to the URL's.
/// - `Content-Length` follows the body. The caller's own must agree with it; where the body does not know its length,
///   the caller's is the promise that the body is held to.
/// - `Transfer-Encoding` and `Upgrade` are refused, since to drop them would change what was asked for.
/// - `Connection` may say `close`, which is kept, or `keep-alive`, which goes without saying; anything else is refused.
/// - `Proxy-Authorization` is made of the proxy's URL, and goes to the proxy alone; a field of that name is dropped.
/// - `Keep-Alive`, `Proxy-Connection`, `TE` and `Trailer` speak of one connection only and are dropped, so that the
///   fields of a request that came in can be handed on. `Trailer` is made of what the body says of itself.
package final class RequestPlan: Sendable {
    /// What follows the head.
    enum Upload: Sendable {
        /// Nothing, or it was small and stands behind the head already.
        case none
        /// Bytes in memory.
        case bytes(Data)
        /// Chunks; with a length, so many bytes are promised, without one they go out in chunked coding.
        case chunks(@Sendable () -> any AsyncIteratorProtocol<Data, any Error>, length: Int64?)
    }

    /// A body up to this size goes out in the same write as the head.
    static let smallBody = 32 * 1024
    /// How long a body waits where only the field `Expect` says that it does; what curl waits.
    private static let continueTimeout = Duration.seconds(1)

    let request: TransportRequest
    /// What stands in the first line and in `Host`, read once: each reading of the head is a call to another module,
    /// which copies a field.
    let method: HTTPRequest.Method
    let authority: String
    /// The host that the server is asked for: `Host` in HTTP/1.1, `:authority` in HTTP/2.
    let host: String
    let path: String
    package let origin: Origin
    let upload: Upload
    /// The caller's fields, with all cookies in one; those that the engine sets are still among them.
    let fields: HTTPFields
    /// The type of the body, where the caller's fields do not tell it.
    let addedContentType: String?
    /// The value of the field `Priority`, where the caller's fields do not hold one; `nil` for nothing to tell.
    let addedPriority: StaticString?
    /// The length of the body, where it is told.
    let announcedLength: Int64?
    /// Whether the engine asked for compression, and so has to undo it.
    let decompresses: Bool
    /// Whether the request asks to close the connection behind it.
    let closes: Bool
    /// How long the body waits for the server to ask for it; `nil` where it follows its head.
    let continueTimeout: Duration?

    /// The protocol that is asked for in place of HTTP.
    private let upgrade: String?

    /// Whether HTTP/1.1 sends the body in chunked coding: nobody knows its length, or fields follow it.
    var isChunked: Bool {
        guard case .chunks(_, let length) = upload else { return false }
        return length == nil || request.body.trailers != nil
    }

    var isHead: Bool { method == .head }

    /// Whether the request may be sent again although the server may have seen it (RFC 9110, section 9.2.2).
    var isReplayable: Bool {
        switch method {
        case .get, .head, .put, .delete, .options, .trace: request.body.replayability > .once
        default: false
        }
    }

    /// Works a request out.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - mayWait: Whether its body may wait for the server's consent, if it wants to.
    ///   - versions: Which versions of HTTP may be spoken; `nil` for what its options say.
    ///   - upgrade: The protocol that it asks for in place of HTTP; `nil` for none.
    /// - Throws: `TransportError` for what no server has to be asked for.
    package convenience init(
        _ request: borrowing TransportRequest, mayWait: Bool = true, versions: Origin.Versions? = nil,
        upgrade: String? = nil
    ) throws(TransportError) {
        // Most are sent as they are, and a copy costs more than all that it is looked through for.
        if Self.isAsIs(request) {
            try self.init(asIs: copy request, mayWait: mayWait, versions: versions, upgrade: upgrade)
        } else {
            let made = try (copy request).onUnixSocket().withCodedBody()
            try self.init(asIs: made, mayWait: mayWait, versions: versions, upgrade: upgrade)
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
            hasTrailers ? nil : length.flatMap { $0 > 0 || Self.announcesEmptyBody(request, method) ? $0 : nil }
        try RequestRules.check(method.rawValue, authority, path, isWhole: origin.asksProxy)
        self.request = consume request
        if let addedContentType { try RequestRules.check(addedContentType, of: .contentType) }
        if let proxyAuthorization { try RequestRules.check(proxyAuthorization, of: .proxyAuthorization) }
        if let upgrade { try RequestRules.check(upgrade, of: .upgrade) }
    }

    /// What the proxy is told that is asked itself.
    private var proxyAuthorization: String? { origin.asksProxy ? origin.route?.proxy?.authorization : nil }

    /// The head as HTTP/1.1 writes it, with a small body behind it; what it holds was checked when the plan was made.
    package func writeHead() -> ByteBuffer {
        var head = ByteBuffer()
        writeHead(into: &head)
        return head
    }

    /// The same into memory that has served before.
    ///
    /// - Parameter head: What it holds is written over, unless somebody else holds it, too.
    package func writeHead(into head: inout ByteBuffer) {
        let (authorization, type) = (proxyAuthorization, addedContentType)
        var small: Data?
        if case .none = upload, case .bytes(let bytes) = request.body.content { small = bytes }
        let room =
            HeadWriter.room(method.rawValue, authority, host, path, fields)
            + (authorization.map { $0.utf8.count + 32 } ?? 0)
            + (request.body.trailers.map { $0.announcement.utf8.count + 16 } ?? 0)
            + (type?.utf8.count ?? 0) + (upgrade?.utf8.count ?? 0)
        head.clear(minimumCapacity: room + (small?.count ?? 0))
        head.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { space in
            var writer = HeadWriter(space)
            writer.writeRequestLine(method.rawValue, authority, path, host: host, isWhole: origin.asksProxy)
            for index in fields.indices {
                let field = fields[index]
                if !EngineField.isDropped(field.name.canonicalName) { writer.write(field) }
            }
            if let authorization { writer.write("Proxy-Authorization: ", authorization) }
            if let upgrade {
                writer.write("Connection: Upgrade\r\n")
                writer.write("Upgrade: ", upgrade)
            } else if closes {
                writer.write("Connection: close\r\n")
            }
            if continueTimeout != nil { writer.write("Expect: 100-continue\r\n") }
            if decompresses { writer.write(KnownCoding.acceptField) }
            if let addedPriority { writer.write("Priority: ", addedPriority) }
            if let type { writer.write("Content-Type: ", type) }
            if let length = announcedLength {
                writer.write("Content-Length: ", String(length))
            } else if isChunked {
                writer.write("Transfer-Encoding: chunked\r\n")
            }
            if let trailers = request.body.trailers { writer.write("Trailer: ", trailers.announcement) }
            writer.write("\r\n")
            return writer.count
        }
        if let small { head.writeData(small) }
    }

    private static func host(of fields: HTTPFields) throws(TransportError) -> String? {
        do {
            return try HostField.value(in: fields)
        } catch {
            throw .invalid(error.reason, error.message)
        }
    }

    /// The number of bytes to announce; `nil` for chunked coding.
    private static func length(of body: RequestBody, promised: Int64?) throws(TransportError) -> Int64? {
        guard body.isEncoded else {
            throw .invalid(.encodingFailed, "the body was not encoded before it came to the transport")
        }
        guard let length = body.isEmpty ? 0 : body.length else { return promised }
        guard length >= 0, promised ?? length == length else {
            throw .invalid(.invalidHeader, "Content-Length differs from the length of the body, \(length)")
        }
        return length
    }

    /// What the server is told of a request's urgency (RFC 9218, section 4); an ordinary one goes without saying.
    private static func priority(_ options: TransportOptions) -> StaticString? {
        let isStreamed = options.delivery == .streamed
        switch options.priority {
        case .normal: return nil
        case .low: return isStreamed ? "u=6, i" : "u=6"
        case .high: return isStreamed ? "u=1, i" : "u=1"
        case .critical: return isStreamed ? "u=0, i" : "u=0"
        }
    }

    /// Whether a body of zero bytes is worth a field: one that was given, or one that the method leads to expect.
    private static func announcesEmptyBody(_ request: TransportRequest, _ method: HTTPRequest.Method) -> Bool {
        guard request.body.isEmpty else { return true }
        switch method {
        case .post, .put, .patch: return true
        default: return false
        }
    }

    /// The fields with all cookies in one: HTTPTypes parts them at each assignment, as HTTP/2 may, and HTTP/1.1 must not
    /// (RFC 6265, section 5.4; RFC 9113, section 8.2.3).
    ///
    /// Joined as bytes, which need not be UTF-8.
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

    /// What the caller's own fields say about things that the engine decides.
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
                        .invalidHeader, "the field \(field.name.rawName) is set by the transport alone: leave it out")
                case .connection: try takeConnection(field.value)
                case .contentLength:
                    guard let length = Int64(field.value), length >= 0, contentLength ?? length == length else {
                        throw .invalid(.invalidHeader, "Content-Length is not one number")
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
                    throw .invalid(.invalidHeader, "the field Connection may say close or keep-alive, nothing else")
                }
            }
        }
    }
}

/// The fields that the engine has a say in.
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

    /// Told by the length first, since most names are none of these.
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

    /// Whether the engine writes this one itself, or not at all.
    var isDropped: Bool {
        switch self {
        case .host, .connection, .connectionOnly, .refused, .contentLength, .expect: true
        case .contentType, .cookie, .acceptEncoding, .range, .priority: false
        }
    }

    /// Whether a field of this name is dropped.
    static func isDropped(_ canonicalName: String) -> Bool { EngineField(canonicalName)?.isDropped ?? false }
}

extension TransportError {
    /// A request that is refused before anything is sent; ``InvalidRequest`` is its cause.
    static func invalid(_ reason: InvalidRequest.Reason, _ message: String) -> TransportError {
        TransportError(
            reason == .invalidURL ? .badURL : .unknown,
            phase: .total,
            message: message,
            requestMayHaveBeenSent: false,
            underlying: InvalidRequest(reason, message)
        )
    }
}
