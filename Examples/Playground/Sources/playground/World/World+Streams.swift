// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghTesting

extension World {
    private static let words = """
        All the birds of the world gathered to ask who was their king. The hoopoe said: we have one, and its name is \
        Simorgh; it lives behind the mountains of Qaf, and the way is long.
        """.split(separator: " ").map(String.init)

    /// Adds the same words as lines of JSON and as events, one each 0.125 seconds.
    func addStreams() {
        server.on(.get, path: "/tokens") { _ in
            let lines = Self.words.enumerated().map { index, word in
                Data("{\"index\":\(index),\"token\":\"\(word)\"}\n".utf8)
            }
            return Self.paced(lines, every: .milliseconds(125), contentType: "application/x-ndjson")
        }
        server.on(.get, path: "/events") { _ in
            var events = Self.words.enumerated().map { index, word in
                Data("id: \(index)\nevent: token\ndata: \(word)\n\n".utf8)
            }
            events.append(Data("event: end\ndata: that is all\n\n".utf8))
            return Self.paced(events, every: .milliseconds(125), contentType: "text/event-stream")
        }
    }
}
