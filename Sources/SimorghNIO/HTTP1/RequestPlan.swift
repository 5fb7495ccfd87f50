// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import NIOCore
import NIOFoundationEssentialsCompat
package import SimorghCore
import SimorghRealtime
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
        case .get, .head, .put, .delete, .options, .trace, .query: request.body.replayability > .once
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
        var fields = RequestFields()
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
        self.fields = fields.cookies > 1 ? request.head.headerFields.withOneCookie : request.head.headerFields
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
        case .post, .put, .patch, .query: return true
        default: return false
        }
    }
}
