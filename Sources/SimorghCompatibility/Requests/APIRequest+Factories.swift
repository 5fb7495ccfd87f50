// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIRequest where Output: Decodable, Failure: Decodable {
    /// Returns a `GET` request that decodes a JSON response.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they override the client's.
    ///   - parameters: The query items, sent sorted by name.
    /// - Returns: The request.
    public static func get(
        _ path: String, headers: [String: String] = [:], parameters: QueryItems = QueryItems()
    ) -> APIRequest { .decoding(.get, path: path, headers: headers, query: parameters, body: .empty) }

    /// Returns a `POST` request that decodes a JSON response.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they override the client's.
    ///   - parameters: The query items, sent sorted by name.
    /// - Returns: The request.
    public static func post(
        _ path: String, headers: [String: String] = [:], parameters: QueryItems = QueryItems()
    ) -> APIRequest { .decoding(.post, path: path, headers: headers, query: parameters, body: .empty) }

    /// Returns a `POST` request with a JSON body that decodes a JSON response.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they override the client's.
    ///   - body: The value to send.
    /// - Returns: The request.
    public static func post(
        _ path: String, headers: [String: String] = [:], body: some Encodable & Sendable
    ) -> APIRequest { .decoding(.post, path: path, headers: headers, query: QueryItems(), body: .json(body)) }

    /// Returns a `PUT` request that decodes a JSON response.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they override the client's.
    ///   - parameters: The query items, sent sorted by name.
    /// - Returns: The request.
    public static func put(
        _ path: String, headers: [String: String] = [:], parameters: QueryItems = QueryItems()
    ) -> APIRequest { .decoding(.put, path: path, headers: headers, query: parameters, body: .empty) }

    /// Returns a `PUT` request with a JSON body that decodes a JSON response.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they override the client's.
    ///   - body: The value to send.
    /// - Returns: The request.
    public static func put(
        _ path: String, headers: [String: String] = [:], body: some Encodable & Sendable
    ) -> APIRequest { .decoding(.put, path: path, headers: headers, query: QueryItems(), body: .json(body)) }

    /// Returns a `PATCH` request with a JSON body that decodes a JSON response.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they override the client's.
    ///   - body: The value to send.
    /// - Returns: The request.
    public static func patch(
        _ path: String, headers: [String: String] = [:], body: some Encodable & Sendable
    ) -> APIRequest { .decoding(.patch, path: path, headers: headers, query: QueryItems(), body: .json(body)) }

    /// Returns a `DELETE` request that decodes a JSON response.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they override the client's.
    ///   - parameters: The query items, sent sorted by name.
    /// - Returns: The request.
    public static func delete(
        _ path: String, headers: [String: String] = [:], parameters: QueryItems = QueryItems()
    ) -> APIRequest { .decoding(.delete, path: path, headers: headers, query: parameters, body: .empty) }

    /// Returns a `DELETE` request with a JSON body that decodes a JSON response.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they override the client's.
    ///   - body: The value to send.
    /// - Returns: The request.
    public static func delete(
        _ path: String, headers: [String: String] = [:], body: some Encodable & Sendable
    ) -> APIRequest { .decoding(.delete, path: path, headers: headers, query: QueryItems(), body: .json(body)) }

    private static func decoding(
        _ method: RequestMethod, path: String, headers: [String: String], query: QueryItems, body: RequestBody
    ) -> APIRequest {
        APIRequest(
            method, path: path, headers: headers, parameters: query.sorted(), body: body,
            output: .decodable(), failure: .decodable())
    }
}

extension APIRequest where Output == Void, Failure: Decodable {
    /// Returns a `POST` request that ignores the body of a successful response.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they override the client's.
    ///   - parameters: The query items, sent sorted by name.
    /// - Returns: The request.
    public static func post(
        _ path: String, headers: [String: String] = [:], parameters: QueryItems = QueryItems()
    ) -> APIRequest { .void(.post, path: path, headers: headers, query: parameters, body: .empty) }

    /// Returns a `POST` request with a JSON body that ignores the body of a successful response.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they override the client's.
    ///   - body: The value to send.
    /// - Returns: The request.
    public static func post(
        _ path: String, headers: [String: String] = [:], body: some Encodable & Sendable
    ) -> APIRequest { .void(.post, path: path, headers: headers, query: QueryItems(), body: .json(body)) }

    /// Returns a `PUT` request that ignores the body of a successful response.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they override the client's.
    ///   - parameters: The query items, sent sorted by name.
    /// - Returns: The request.
    public static func put(
        _ path: String, headers: [String: String] = [:], parameters: QueryItems = QueryItems()
    ) -> APIRequest { .void(.put, path: path, headers: headers, query: parameters, body: .empty) }

    /// Returns a `PUT` request with a JSON body that ignores the body of a successful response.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they override the client's.
    ///   - body: The value to send.
    /// - Returns: The request.
    public static func put(
        _ path: String, headers: [String: String] = [:], body: some Encodable & Sendable
    ) -> APIRequest { .void(.put, path: path, headers: headers, query: QueryItems(), body: .json(body)) }

    /// Returns a `PATCH` request with a JSON body that ignores the body of a successful response.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they override the client's.
    ///   - body: The value to send.
    /// - Returns: The request.
    public static func patch(
        _ path: String, headers: [String: String] = [:], body: some Encodable & Sendable
    ) -> APIRequest { .void(.patch, path: path, headers: headers, query: QueryItems(), body: .json(body)) }

    /// Returns a `DELETE` request that ignores the body of a successful response.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they override the client's.
    ///   - parameters: The query items, sent sorted by name.
    /// - Returns: The request.
    public static func delete(
        _ path: String, headers: [String: String] = [:], parameters: QueryItems = QueryItems()
    ) -> APIRequest { .void(.delete, path: path, headers: headers, query: parameters, body: .empty) }

    /// Returns a `DELETE` request with a JSON body that ignores the body of a successful response.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they override the client's.
    ///   - body: The value to send.
    /// - Returns: The request.
    public static func delete(
        _ path: String, headers: [String: String] = [:], body: some Encodable & Sendable
    ) -> APIRequest { .void(.delete, path: path, headers: headers, query: QueryItems(), body: .json(body)) }

    private static func void(
        _ method: RequestMethod, path: String, headers: [String: String], query: QueryItems, body: RequestBody
    ) -> APIRequest {
        var nothing = ResponseDecoding<Void>.void
        nothing.accept = .codecs
        return APIRequest(
            method, path: path, headers: headers, parameters: query.sorted(), body: body,
            output: nothing, failure: .decodable())
    }
}

extension QueryItems {
    /// Returns the items sorted by name; items of the same name keep their order.
    fileprivate func sorted() -> QueryItems {
        QueryItems(
            items.enumerated()
                .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
                .map(\.element))
    }
}
