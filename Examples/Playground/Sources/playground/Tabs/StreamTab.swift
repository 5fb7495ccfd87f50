// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh

struct Token: Codable, Sendable {
    var index: Int
    var token: String
}

// shown: begin
struct Tokens: NetworkRouter {
    let baseURLString: String
    var path: String { "/tokens" }
}

struct TokenEvents: NetworkRouter {
    let baseURLString: String
    var path: String { "/events" }
}

/// Words streamed one by one.
struct StreamTab: Sendable {
    let client = APIClient()

    func lines(from base: String) -> AsyncThrowingStream<String, any Error> {
        feed { send in
            for try await token: Token in client.asyncStreamRequest(Tokens(baseURLString: base)) {
                send(token.token)
            }
        }
    }

    func events(from base: String) -> AsyncThrowingStream<String, any Error> {
        feed { send in
            let response = try await client.stream(TokenEvents(baseURLString: base))
            for try await event in response.serverSentEvents() where event.event == "token" {
                send(event.data)
            }
        }
    }
}
// shown: end
