// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOHTTP1
import SimorghCore

/// The head of a response, taken over from the parser in one pass.
struct ResponseHead {
    var response: HTTPResponse
    var shape: ExchangeMachine.Shape
    var contentLength: Int?
    /// The codings of the body, outermost last.
    var codings: [String] = []
    /// The size of the fields on the wire.
    var bytes = 0
    private var closes = false
    /// Why the head is not acceptable; `nil` if it is.
    var fault: String?

    init(_ head: HTTPResponseHead, requestIsHead: Bool) {
        let status = Int(head.status.code)
        response = HTTPResponse(status: .init(code: min(max(status, 0), 999)))
        let isHTTP11 = head.version.major == 1 && head.version.minor >= 1
        shape = ExchangeMachine.Shape(status: status, keepsAlive: isHTTP11, isUntilClose: false)
        var transferCoding: String?
        var fields = HTTPFields()
        fields.reserveCapacity(head.headers.count)
        for (name, value) in head.headers {
            bytes += name.utf8.count + value.utf8.count + 4
            guard let name = FieldNames.name(name) else {
                fault = "a field's name is not a token"
                continue
            }
            fields.append(HTTPField(name: name, value: value))
            switch name.canonicalName.utf8.count {
            case 10 where name.canonicalName == "connection": takeConnection(value)
            case 14 where name.canonicalName == "content-length": contentLength = Int(value)
            case 16 where name.canonicalName == "content-encoding": takeCodings(value)
            case 17 where name.canonicalName == "transfer-encoding":
                transferCoding = transferCoding == nil ? value : "two fields"
            default: break
            }
        }
        response.headerFields = fields
        // Whoever says both means the careful one.
        if closes { shape.keepsAlive = false }
        let hasBody = !requestIsHead && status != 204 && status != 304 && status >= 200
        guard hasBody else {
            contentLength = nil
            codings = []
            return
        }
        if let transferCoding {
            if transferCoding.lowercased() != "chunked" { fault = "the transfer coding is not chunked alone" }
            if contentLength != nil { fault = "the body has two lengths: Content-Length and Transfer-Encoding" }
        }
        shape.isUntilClose = transferCoding == nil && contentLength == nil
    }

    private mutating func takeConnection(_ value: String) {
        for token in value.lowercased().split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) {
            if token == "close" { closes = true }
            if token == "keep-alive" { shape.keepsAlive = true }
        }
    }

    private mutating func takeCodings(_ value: String) {
        for token in value.lowercased().split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" })
        where token != "identity" {
            codings.append(String(token))
        }
    }
}

/// Field names that servers send most, so that these need not be checked and lowercased anew in each response.
enum FieldNames {
    private static let known: [String: HTTPField.Name] = {
        let names = [
            "Accept-Ranges", "Access-Control-Allow-Credentials", "Access-Control-Allow-Origin", "Age", "Alt-Svc",
            "Cache-Control", "Connection", "Content-Disposition", "Content-Encoding", "Content-Language",
            "Content-Length", "Content-Range", "Content-Security-Policy", "Content-Type", "Date", "ETag", "Expires",
            "Keep-Alive", "Last-Modified", "Link", "Location", "Pragma", "Referrer-Policy", "Retry-After", "Server",
            "Set-Cookie", "Strict-Transport-Security", "Transfer-Encoding", "Vary", "Via", "WWW-Authenticate",
            "X-Content-Type-Options", "X-Frame-Options", "X-Powered-By", "X-Request-Id", "X-XSS-Protection",
        ]
        var known: [String: HTTPField.Name] = [:]
        for name in names + names.map({ $0.lowercased() }) { known[name] = HTTPField.Name(name) }
        return known
    }()

    /// A name as it came, or `nil` if it is not a token.
    static func name(_ name: String) -> HTTPField.Name? { known[name] ?? HTTPField.Name(name) }
}
