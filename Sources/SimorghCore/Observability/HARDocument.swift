// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A HAR file (HTTP Archive 1.2), as far as it is written: the names are those of the format.
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
    }

    package struct Request: Codable, Sendable, Hashable {
        package var method: String
        package var url: String
        package var httpVersion: String
        package var cookies: [Cookie]
        package var headers: [Record]
        package var queryString: [Record]
        package var postData: PostData?
        package var headersSize = -1
        package var bodySize: Int64
    }

    package struct Response: Codable, Sendable, Hashable {
        package var status: Int
        package var statusText: String
        package var httpVersion: String
        package var cookies: [Cookie]
        package var headers: [Record]
        package var content: Content
        package var redirectURL: String
        package var headersSize = -1
        package var bodySize: Int64
    }

    package struct Record: Codable, Sendable, Hashable {
        package var name: String
        package var value: String
    }

    package struct Cookie: Codable, Sendable, Hashable {
        package var name: String
        package var value: String
    }

    package struct PostData: Codable, Sendable, Hashable {
        package var mimeType: String
        package var params: [Record]?
        package var text: String
        package var comment: String?
    }

    package struct Content: Codable, Sendable, Hashable {
        package var size: Int64
        package var mimeType: String
        package var text: String?
        package var encoding: String?
        package var comment: String?
    }

    /// Nothing is told of caches; the format wants the place for it.
    package struct Cache: Codable, Sendable, Hashable {
        package init() {}
    }

    /// In milliseconds; -1 for what did not happen.
    package struct Timings: Codable, Sendable, Hashable {
        package var blocked: Double
        package var dns: Double
        package var connect: Double
        package var send: Double
        package var wait: Double
        package var receive: Double
        package var ssl: Double

        /// All of it; `ssl` is a part of `connect`.
        package var total: Double { [blocked, dns, connect, send, wait, receive].reduce(0) { $0 + max(0, $1) } }
    }

    package var log: Log
}
