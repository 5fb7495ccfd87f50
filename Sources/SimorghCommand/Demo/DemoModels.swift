// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh

// demo: get
struct User: Codable { let id: Int; let name: String }
// demo: end

// demo: post
struct NewUser: Codable { let name: String }
// demo: end

// demo: failure
struct Problem: Codable { let code: String; let hint: String }
// demo: end

// demo: websocket
struct Echo: WebSocketRouter {
    let baseURLString: String
    let path = "/echo"
}
// demo: end

// demo: subscription
struct Prices: SubscriptionRouter {
    struct Event: Codable { let price: Int }

    let baseURLString: String
    let path = "/prices"
    var subscribeMessage: some Encodable { ["subscribe": "prices"] }
}
// demo: end
#endif
