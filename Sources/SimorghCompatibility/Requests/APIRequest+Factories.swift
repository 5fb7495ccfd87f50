// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIRequest where Output: Decodable, Failure: Decodable {
    /// A `GET` that decodes JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they win over the client's.
    ///   - parameters: The query's fields, sent sorted by name.
    /// - Returns: The request.
    public static func get(
        _ path: String, headers: [String: String] = [:], parameters: QueryItems = QueryItems()
    ) -> APIRequest { .decoding(.get, path, headers, parameters, .empty) }

    /// A `POST` that decodes JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they win over the client's.
    ///   - parameters: The query's fields, sent sorted by name.
    /// - Returns: The request.
    public static func post(
        _ path: String, headers: [String: String] = [:], parameters: QueryItems = QueryItems()
    ) -> APIRequest { .decoding(.post, path, headers, parameters, .empty) }

    /// A `POST` of JSON that decodes JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The value to send.
    /// - Returns: The request.
    public static func post(
        _ path: String, headers: [String: String] = [:], body: some Encodable & Sendable
    ) -> APIRequest { .decoding(.post, path, headers, QueryItems(), .json(body)) }

    /// A `PUT` that decodes JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they win over the client's.
    ///   - parameters: The query's fields, sent sorted by name.
    /// - Returns: The request.
    public static func put(
        _ path: String, headers: [String: String] = [:], parameters: QueryItems = QueryItems()
    ) -> APIRequest { .decoding(.put, path, headers, parameters, .empty) }

    /// A `PUT` of JSON that decodes JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The value to send.
    /// - Returns: The request.
    public static func put(
        _ path: String, headers: [String: String] = [:], body: some Encodable & Sendable
    ) -> APIRequest { .decoding(.put, path, headers, QueryItems(), .json(body)) }

    /// A `PATCH` of JSON that decodes JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The value to send.
    /// - Returns: The request.
    public static func patch(
        _ path: String, headers: [String: String] = [:], body: some Encodable & Sendable
    ) -> APIRequest { .decoding(.patch, path, headers, QueryItems(), .json(body)) }

    /// A `DELETE` that decodes JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they win over the client's.
    ///   - parameters: The query's fields, sent sorted by name.
    /// - Returns: The request.
    public static func delete(
        _ path: String, headers: [String: String] = [:], parameters: QueryItems = QueryItems()
    ) -> APIRequest { .decoding(.delete, path, headers, parameters, .empty) }

    /// A `DELETE` with JSON that decodes JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The value to send.
    /// - Returns: The request.
    public static func delete(
        _ path: String, headers: [String: String] = [:], body: some Encodable & Sendable
    ) -> APIRequest { .decoding(.delete, path, headers, QueryItems(), .json(body)) }

    private static func decoding(
        _ method: RequestMethod, _ path: String, _ headers: [String: String], _ query: QueryItems, _ body: RequestBody
    ) -> APIRequest {
        APIRequest(
            method, path, headers: headers, parameters: query.sorted(), body: body,
            output: .decodable(), failure: .decodable())
    }
}

extension APIRequest where Output == Void, Failure: Decodable {
    /// A `POST` of which success is all.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they win over the client's.
    ///   - parameters: The query's fields, sent sorted by name.
    /// - Returns: The request.
    public static func post(
        _ path: String, headers: [String: String] = [:], parameters: QueryItems = QueryItems()
    ) -> APIRequest { .void(.post, path, headers, parameters, .empty) }

    /// A `POST` of JSON of which success is all.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The value to send.
    /// - Returns: The request.
    public static func post(
        _ path: String, headers: [String: String] = [:], body: some Encodable & Sendable
    ) -> APIRequest { .void(.post, path, headers, QueryItems(), .json(body)) }

    /// A `PUT` of which success is all.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they win over the client's.
    ///   - parameters: The query's fields, sent sorted by name.
    /// - Returns: The request.
    public static func put(
        _ path: String, headers: [String: String] = [:], parameters: QueryItems = QueryItems()
    ) -> APIRequest { .void(.put, path, headers, parameters, .empty) }

    /// A `PUT` of JSON of which success is all.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The value to send.
    /// - Returns: The request.
    public static func put(
        _ path: String, headers: [String: String] = [:], body: some Encodable & Sendable
    ) -> APIRequest { .void(.put, path, headers, QueryItems(), .json(body)) }

    /// A `PATCH` of JSON of which success is all.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The value to send.
    /// - Returns: The request.
    public static func patch(
        _ path: String, headers: [String: String] = [:], body: some Encodable & Sendable
    ) -> APIRequest { .void(.patch, path, headers, QueryItems(), .json(body)) }

    /// A `DELETE` of which success is all.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they win over the client's.
    ///   - parameters: The query's fields, sent sorted by name.
    /// - Returns: The request.
    public static func delete(
        _ path: String, headers: [String: String] = [:], parameters: QueryItems = QueryItems()
    ) -> APIRequest { .void(.delete, path, headers, parameters, .empty) }

    /// A `DELETE` with JSON of which success is all.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The value to send.
    /// - Returns: The request.
    public static func delete(
        _ path: String, headers: [String: String] = [:], body: some Encodable & Sendable
    ) -> APIRequest { .void(.delete, path, headers, QueryItems(), .json(body)) }

    private static func void(
        _ method: RequestMethod, _ path: String, _ headers: [String: String], _ query: QueryItems, _ body: RequestBody
    ) -> APIRequest {
        var nothing = ResponseDecoding<Void>.void
        nothing.accept = "application/json"
        return APIRequest(
            method, path, headers: headers, parameters: query.sorted(), body: body,
            output: nothing, failure: .decodable())
    }
}

extension QueryItems {
    /// The items by name; items of one name keep their order.
    fileprivate func sorted() -> QueryItems {
        QueryItems(
            items.enumerated()
                .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
                .map(\.element))
    }
}
