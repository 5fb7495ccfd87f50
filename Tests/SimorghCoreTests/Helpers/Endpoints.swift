// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A user of the tests' server.
struct User: Codable, Sendable, Hashable {
    var id: Int
    var name: String
}

/// The error body of the tests' server.
struct Refusal: Codable, Sendable, Hashable {
    var code: Int
    var message: String
}

struct CreateUser: NetworkRouter {
    struct Query: Codable { var notify: Bool, team: String?, page: Int }
    var path: String { "/users" }
    var method: RequestMethod? { .post }
    var queryParams: Query? { Query(notify: true, team: nil, page: 1) }
    var params: User? { User(id: 7, name: "Zal") }
}

struct FetchUser: NetworkRequest {
    typealias Response = User
    var id = 7
    var path: String { "users/\(id)" }
}

/// An endpoint that uses every default.
struct Bare: NetworkRouter {}
