// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghTesting
import Synchronization

extension World {
    private struct Stored: Codable, Sendable {
        var id: Int
        var title: String
        var body: String
    }

    private struct Draft: Codable, Sendable {
        var title: String
        var body: String
    }

    private final class PostStore: Sendable {
        let posts = Mutex([
            Stored(id: 1, title: "The conference of the birds", body: "Thirty birds set out to find their king."),
            Stored(id: 2, title: "Seven valleys", body: "Quest, love, knowledge, detachment, unity, wonder, poverty."),
            Stored(id: 3, title: "Si morgh", body: "At the journey's end they found thirty birds: themselves."),
        ])
    }

    /// Adds a list that is fresh for ten seconds and has an entity tag, and a route that adds to it.
    func addPosts() {
        let shelf = PostStore()
        server.on(.get, path: "/posts") { request in
            let posts = shelf.posts.withLock { $0 }
            let tag = "\"posts-\(posts.count)\""
            if request.header(.ifNoneMatch) == tag {
                return .status(.notModified).header(.eTag, value: tag).header(.cacheControl, value: "max-age=10")
            }
            return .json(posts).header(.eTag, value: tag).header(.cacheControl, value: "max-age=10")
        }
        server.on(.post, path: "/posts") { request in
            // A page in the same browser could write even if it may not read.
            guard request.header(.origin) == nil else {
                return .json(["message": "posts from web pages are refused"], status: .forbidden)
            }
            guard let draft = try? request.json(Draft.self), !draft.title.isEmpty else {
                return .json(["message": "a post needs a title"], status: .unprocessableContent)
            }
            let post = shelf.posts.withLock { posts in
                let post = Stored(id: posts.count + 1, title: draft.title, body: draft.body)
                // A page that is open for a year must not fill the memory.
                if posts.count < 1000 { posts.append(post) }
                return post
            }
            return .json(post, status: .created)
        }
    }
}
