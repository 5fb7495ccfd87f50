// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The type and the ID of a message, common to several protocols.
struct TypedMessage: Decodable {
    let type: String
    let id: SubscriptionID?

    private enum CodingKeys: CodingKey { case type, id }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        type = try container.decode(String.self, forKey: .type)
        // An ID is a string; some servers send it back as a number.
        id =
            if let text = try? container.decodeIfPresent(String.self, forKey: .id) {
                SubscriptionID(text)
            } else {
                (try? container.decodeIfPresent(Int.self, forKey: .id)).flatMap { SubscriptionID(String($0)) }
            }
    }
}

/// An error for a message that the protocol does not define.
public struct UnknownSubscriptionMessageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The type of the message, or the beginning of a message without a type.
    public let kind: String

    package init(_ kind: some StringProtocol) { self.kind = String(kind.prefix(200)) }

    package init(_ message: WebSocketMessage) {
        self.init(String(decoding: message.bytes.prefix(200), as: UTF8.self))
    }

    /// A description with the type of the message.
    public var description: String { "unknown message “\(kind)”" }
}
