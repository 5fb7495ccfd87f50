// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// As much of a client's message as a server of subscriptions goes by.
struct GraphQLMessage: Decodable {
    let type: String
    let id: String

    private enum Key: CodingKey { case type, id }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        type = try container.decode(String.self, forKey: .type)
        id = try container.decodeIfPresent(String.self, forKey: .id) ?? ""
    }

    init?(_ text: String) {
        guard let message = try? JSONDecoder().decode(GraphQLMessage.self, from: Data(text.utf8)) else { return nil }
        self = message
    }
}
