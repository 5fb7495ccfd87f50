// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What tells most messages apart.
struct TypedMessage: Decodable {
    let type: String
    let id: SubscriptionID?

    private enum CodingKeys: CodingKey { case type, id }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        type = try container.decode(String.self, forKey: .type)
        // Ids are texts; a server that sends the number that the text spells means the same one.
        id =
            if let text = try? container.decodeIfPresent(String.self, forKey: .id) {
                SubscriptionID(text)
            } else {
                (try? container.decodeIfPresent(Int.self, forKey: .id)).flatMap { SubscriptionID(String($0)) }
            }
    }
}

/// A message that a protocol does not know.
public struct UnknownSubscriptionMessage: Error, Sendable, Hashable, CustomStringConvertible {
    /// The message's kind, or its beginning where it has none.
    public let kind: String

    package init(_ kind: some StringProtocol) { self.kind = String(kind.prefix(200)) }

    package init(_ message: WebSocketMessage) {
        self.init(String(decoding: message.bytes.prefix(200), as: UTF8.self))
    }

    /// The kind.
    public var description: String { "the protocol has no message “\(kind)”" }
}
