// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// Declarations that the documents' snippets use: scripts/checks/snippets compiles them together with this file. Each
// page has the declaration in an earlier snippet, or links to the page that has it.
import Foundation
import Simorgh
import SimorghOAuth

struct User: Codable, Sendable { var id: Int, name: String }
struct NewUser: Codable, Sendable { var name: String }
struct Profile: Codable, Sendable { var name: String }
struct Refusal: Codable, Sendable { var code: Int, message: String }
struct GenreList: Decodable, Sendable { var genres: [String] }
struct Status: Decodable, Sendable { var message: String }
struct GetProfile: NetworkRouter { var path: String { "profile" } }
struct GetUsers: NetworkRouter { var path: String { "users" } }
struct ChatSocket: WebSocketRouter {
    var baseURLString: String { "wss://api.example.com" }
    var path: String { "/chat" }
}
struct ChatMessage: Codable, Sendable { var text: String }
enum Keychain { static func token() async throws -> String { "a token" } }

// Replaces the other packages that the snippets about formats use: XMLCoder, CBORCoding and SwiftProtobuf.
class XMLEncoder { func encode(_ value: some Encodable) throws -> Data { Data() } }
class XMLDecoder {
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { throw CancellationError() }
}
typealias CBOREncoder = XMLEncoder
typealias CBORDecoder = XMLDecoder
protocol Message: Sendable {
    init(serializedBytes: Data) throws
    func serializedData() throws -> Data
}

let client = APIClient(baseURL: "http://127.0.0.1:1")
var oauth: OAuthClient { preconditionFailure("snippets are not run") }
