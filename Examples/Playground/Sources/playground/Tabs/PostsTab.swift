// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh

struct Post: Codable, Sendable {
    var id: Int
    var title: String
    var body: String
}

// shown: begin
struct ListPosts: NetworkRouter {
    let baseURLString: String
    var path: String { "/posts" }
}

struct CreatePost: NetworkRouter {
    struct Draft: Codable {
        let title: String
        let body: String
    }

    let baseURLString: String
    let draft: Draft
    var path: String { "/posts" }
    var method: RequestMethod? { .post }
    var params: Draft? { draft }
}

/// Typed requests, and an HTTP cache.
struct PostsTab: Sendable {
    let client = APIClient().with {
        $0.caching.httpCache = HTTPCache(CacheConfiguration(diskCapacity: 0))
        $0.retryHandler = DefaultRetryHandler(numberOfRetries: 2)
    }

    func list(from base: String, strategy: CacheStrategy) async throws -> Listing {
        let answer = try await client.call(ListPosts(baseURLString: base))
            .with { $0.caching.strategy = strategy }
            .response()
        return Listing(
            posts: try answer.response.decode([Post].self),
            cache: answer.response.header("Cache-Status") ?? "no cache was used",
            milliseconds: (answer.response.timings.total ?? .zero) / .milliseconds(1))
    }

    func create(_ draft: CreatePost.Draft, at base: String) async throws -> Post {
        try await client.request(CreatePost(baseURLString: base, draft: draft))
    }
}
// shown: end

extension PostsTab {
    struct Listing: Encodable, Sendable {
        let posts: [Post]
        let cache: String
        let milliseconds: Double
    }

    /// Returns the cache strategy with a name that the page uses.
    static func strategy(_ name: String) -> CacheStrategy {
        switch name {
        case "reload": .reloadIgnoringLocalCacheData
        case "cache": .returnCacheDataElseLoad
        case "only": .returnCacheDataDontLoad
        case "revalidate": .reloadRevalidatingCacheData
        default: .useProtocolCachePolicy
        }
    }
}
