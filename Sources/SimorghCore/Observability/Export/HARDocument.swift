// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A HAR file (HTTP Archive 1.2), with the members that are written and read here.
///
/// The names are those of the format.
package struct HARDocument: Codable, Sendable, Hashable {
    package struct Log: Codable, Sendable, Hashable {
        package var version = "1.2"
        package var creator: Creator
        package var entries: [Entry]
        package var comment: String?
    }

    package struct Creator: Codable, Sendable, Hashable {
        package var name: String
        package var version: String
    }

    package struct Entry: Codable, Sendable, Hashable {
        package var startedDateTime: String
        package var time: Double
        package var request: Request
        package var response: Response
        package var cache = Cache()
        package var timings: Timings
        package var serverIPAddress: String?
        package var connection: String?
        package var comment: String?

        package init(startedDateTime: String, time: Double, request: Request, response: Response, timings: Timings) {
            self.startedDateTime = startedDateTime
            self.time = time
            self.request = request
            self.response = response
            self.timings = timings
        }

        /// Returns the date of a `startedDateTime`, with or without fractions of a second; `nil` if it is not ISO 8601.
        package static func date(of text: String) -> Date? {
            (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
                ?? (try? Date.ISO8601FormatStyle().parse(text))
        }
    }

    package struct Request: Codable, Sendable, Hashable {
        package var method: String
        package var url: String
        package var httpVersion: String
        package var cookies: [Record]
        package var headers: [Record]
        package var queryString: [Record]
        package var postData: PostData?
        package var headersSize = -1
        package var bodySize: Int64

        package init(
            method: String, url: String, httpVersion: String, cookies: [Record] = [], headers: [Record],
            queryString: [Record], postData: PostData?, bodySize: Int64
        ) {
            self.method = method
            self.url = url
            self.httpVersion = httpVersion
            self.cookies = cookies
            self.headers = headers
            self.queryString = queryString
            self.postData = postData
            self.bodySize = bodySize
        }
    }

    package struct Response: Codable, Sendable, Hashable {
        package var status: Int
        package var statusText: String
        package var httpVersion: String
        package var cookies: [Record]
        package var headers: [Record]
        package var content: Content
        package var redirectURL: String
        package var headersSize = -1
        package var bodySize: Int64

        package init(
            status: Int, statusText: String, httpVersion: String, cookies: [Record] = [], headers: [Record],
            content: Content, redirectURL: String, bodySize: Int64
        ) {
            self.status = status
            self.statusText = statusText
            self.httpVersion = httpVersion
            self.cookies = cookies
            self.headers = headers
            self.content = content
            self.redirectURL = redirectURL
            self.bodySize = bodySize
        }
    }

    /// A header field, a query or form item, or a cookie.
    package struct Record: Codable, Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Reads a record; a parameter of a form may have no value.
        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            name = try members.decode(String.self, forKey: .name)
            value = try members.decodeIfPresent(String.self, forKey: .value) ?? ""
        }
    }

    package struct PostData: Codable, Sendable, Hashable {
        private enum CodingKeys: String, CodingKey {
            case mimeType, params, text, comment
            case encoding = "_encoding"
        }

        package var mimeType: String
        package var params: [Record]?
        package var text: String
        /// `base64` if the body is not text.
        ///
        /// HAR does not define a member for this.
        package var encoding: String?
        package var comment: String?

        package init(mimeType: String, text: String, encoding: String? = nil) {
            self.mimeType = mimeType
            self.text = text
            self.encoding = encoding
        }

        /// Reads a body, which may have parameters instead of a text.
        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            mimeType = try members.decode(String.self, forKey: .mimeType)
            params = try members.decodeIfPresent([Record].self, forKey: .params)
            text = try members.decodeIfPresent(String.self, forKey: .text) ?? ""
            encoding = try members.decodeIfPresent(String.self, forKey: .encoding)
            comment = try members.decodeIfPresent(String.self, forKey: .comment)
        }
    }

    package struct Content: Codable, Sendable, Hashable {
        package var size: Int64
        package var mimeType: String
        package var text: String?
        package var encoding: String?
        package var comment: String?

        package init(size: Int64, mimeType: String, text: String? = nil, encoding: String? = nil) {
            self.size = size
            self.mimeType = mimeType
            self.text = text
            self.encoding = encoding
        }
    }

    /// An empty object: caches are not recorded, but the format requires the member.
    package struct Cache: Codable, Sendable, Hashable {
        package init() {}
    }

    /// The durations of the phases in milliseconds; -1 for a phase that did not happen, `nil` if unknown.
    package struct Timings: Codable, Sendable, Hashable {
        package var blocked: Double?
        package var dns: Double?
        package var connect: Double?
        package var send: Double
        package var wait: Double
        package var receive: Double
        package var ssl: Double?

        package init(
            blocked: Double? = nil, dns: Double? = nil, connect: Double? = nil, send: Double, wait: Double,
            receive: Double, ssl: Double? = nil
        ) {
            self.blocked = blocked
            self.dns = dns
            self.connect = connect
            self.send = send
            self.wait = wait
            self.receive = receive
            self.ssl = ssl
        }

        /// The total duration; `ssl` is a part of `connect`.
        package var total: Double {
            let phases: [Double?] = [blocked, dns, connect, send, wait, receive]
            return phases.reduce(0) { $0 + max(0, $1 ?? 0) }
        }
    }

    package var log: Log

    /// Creates a file of this release.
    ///
    /// - Parameters:
    ///   - entries: The exchanges.
    ///   - comment: A comment on the whole file, or `nil`.
    package init(entries: [Entry], comment: String? = nil) {
        let creator = Creator(name: "Simorgh", version: SimorghVersion.current)
        log = Log(creator: creator, entries: entries, comment: comment)
    }
}
