// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// How a reply is framed on the wire (RFC 9112, section 6), and its head in bytes.
package struct ReplyHead: Sendable {
    package enum Framing: Sendable, Hashable {
        /// No body follows, whatever the fields say.
        case none
        case length
        case chunks
        /// The end of the connection ends the body.
        case untilClose
    }

    package let framing: Framing
    package let keepsAlive: Bool
    package let bytes: ByteBuffer

    // `minor` is the minor version of the request's HTTP/1.
    package init(_ message: Reply.Message, method: String, minor: Int, wantsKeepAlive: Bool, date: String) {
        let hasNoBody = method == "HEAD" || message.status == 204 || message.status == 304 || message.status < 200
        let length: Int? =
            switch message.body {
            case .bytes(let bytes): bytes.readableBytes
            case .steps(let length, _): length
            }
        framing =
            if hasNoBody { .none } else if length != nil { .length } else if minor > 0 { .chunks } else { .untilClose }
        keepsAlive = wantsKeepAlive && !message.closes && framing != .untilClose

        var head = "HTTP/1.1 \(message.status) \(Self.reason(message.status))\r\n"
        for field in message.fields { head += "\(field.name): \(field.value)\r\n" }
        if message.status != 204, message.status >= 200 {
            if let length {
                head += "Content-Length: \(length)\r\n"
            } else if minor > 0 {
                head += "Transfer-Encoding: chunked\r\n"
            }
        }
        head += "Date: \(date)\r\n"
        if !keepsAlive { head += "Connection: close\r\n" } else if minor == 0 { head += "Connection: keep-alive\r\n" }
        head += "\r\n"
        bytes = ByteBuffer(string: head)
    }

    static func reason(_ status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 418: "I'm a teapot"
        case 422: "Unprocessable Content"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        default: ""
        }
    }
}
