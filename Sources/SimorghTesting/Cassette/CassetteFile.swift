// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A cassette as it lies on disk: HTTP Archive 1.2, as much of it as a replay needs and its schema wants.
struct CassetteFile: Codable, Sendable {
    struct Log: Codable, Sendable {
        var version = "1.2"
        var creator: Creator
        var entries: [Entry]
        /// Which version of the way secrets are taken out was used.
        var comment: String?
    }

    struct Creator: Codable, Sendable {
        var name: String
        var version: String
    }

    struct Entry: Codable, Sendable {
        var startedDateTime: String
        var time: Double
        var request: Request
        var response: Response
        var cache = Cache()
        var timings: Timings
    }

    struct Cache: Codable, Sendable {}

    struct Timings: Codable, Sendable {
        var send = 0.0
        var wait: Double
        var receive = 0.0
    }

    struct Pair: Codable, Sendable, Hashable {
        var name: String
        var value: String
    }

    struct Request: Codable, Sendable {
        var method: String
        var url: String
        var httpVersion: String
        var cookies: [Pair] = []
        var headers: [Pair]
        var queryString: [Pair]
        var postData: PostData?
        var headersSize = -1
        var bodySize: Int
    }

    struct PostData: Codable, Sendable {
        var mimeType: String
        var text: String
        var params: [Pair]?
        /// `base64` where the body is not text; the format has no member of its own for it.
        var encoding: String?

        private enum CodingKeys: String, CodingKey {
            case mimeType, text, params
            case encoding = "_encoding"
        }
    }

    struct Response: Codable, Sendable {
        var status: Int
        var statusText: String
        var httpVersion: String
        var cookies: [Pair] = []
        var headers: [Pair]
        var content: Content
        var redirectURL: String
        var headersSize = -1
        var bodySize: Int
    }

    struct Content: Codable, Sendable {
        var size: Int
        var mimeType: String
        var text: String?
        var encoding: String?
    }

    var log: Log
}
