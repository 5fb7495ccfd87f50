// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
package import SimorghCore
package import SimorghRealtime
import SimorghSupport

/// The parameters of a GraphQL request: those of an operation, with typed variables.
package struct GraphQLRequestContent: Sendable {
    /// The operation; its variables are replaced by ``variables``.
    package var operation: GraphQLOperation
    /// The values of the variables; `nil` for those of the operation.
    package var variables: (any Encodable & Sendable)?

    package init(_ operation: GraphQLOperation, variables: (any Encodable & Sendable)? = nil) {
        self.operation = operation
        self.variables = variables ?? operation.variables
    }

    /// The parameters that identify the document.
    package enum Form: Sendable, Equatable {
        /// The document.
        case document
        /// The document's hash (automatic persisted queries).
        case hash
        /// Both: registers the document under its hash.
        case both
    }

    /// Returns the parameters as the JSON of a POST.
    ///
    /// Only the variables are encoded with the client's encoder, whose key strategy must not change other names.
    package func json(_ form: Form, encoder: JSONEncoder) throws(InvalidRequestError) -> Data {
        var members: [(name: String, json: Data)] = []
        if form != .hash { members.append(("query", try Self.text(operation.query))) }
        if let name = operation.operationName { members.append(("operationName", try Self.text(name))) }
        if let json = try variablesJSON(encoder) { members.append(("variables", json)) }
        if let extensions = extensions(form) {
            members.append(("extensions", try RequestBody.json(of: extensions, with: Coders.encoder)))
        }
        var bytes = Data("{".utf8)
        for (index, member) in members.enumerated() {
            bytes.append(contentsOf: (index == 0 ? "\"\(member.name)\":" : ",\"\(member.name)\":").utf8)
            bytes.append(member.json)
        }
        bytes.append(contentsOf: "}".utf8)
        return bytes
    }

    /// Returns the parameters as the query items of a GET; the members of objects are sorted, so that equal requests
    /// have equal URLs.
    package func queryItems(_ form: Form, encoder: JSONEncoder) throws(InvalidRequestError) -> [QueryItem] {
        let encoder = encoder.sortingKeys
        var items: [QueryItem] = []
        if form != .hash { items.append(QueryItem(name: "query", value: operation.query)) }
        if let name = operation.operationName { items.append(QueryItem(name: "operationName", value: name)) }
        if let json = try variablesJSON(encoder) {
            items.append(QueryItem(name: "variables", value: String(decoding: json, as: UTF8.self)))
        }
        if let extensions = extensions(form) {
            let json = try RequestBody.json(of: extensions, with: encoder)
            items.append(QueryItem(name: "extensions", value: String(decoding: json, as: UTF8.self)))
        }
        return items
    }

    /// The number of query items with the hash of the document.
    package var hashItemCount: Int { 1 + (operation.operationName == nil ? 0 : 1) + (variables == nil ? 0 : 1) }

    /// Returns the variables as JSON; `nil` without variables.
    ///
    /// - Parameter encoder: The encoder.
    /// - Returns: An object or `null`.
    /// - Throws: `InvalidRequestError` if they cannot be encoded, or are another value.
    package func variablesJSON(_ encoder: JSONEncoder) throws(InvalidRequestError) -> Data? {
        guard let variables else { return nil }
        let json: Data
        if let text = variables as? GraphQLVariablesText {
            json = text.json
        } else {
            json = try RequestBody.json(of: variables, with: encoder)
        }
        guard json.first(where: { !$0.isJSONSpace }) == UInt8(ascii: "{") || json == Data("null".utf8) else {
            throw InvalidRequestError(.invalidJSON, message: "the variables are not an object")
        }
        return json
    }

    private func extensions(_ form: Form) -> JSON? {
        guard form != .document else { return operation.extensions }
        var members = operation.extensions?.object ?? [:]
        members["persistedQuery"] = ["version": 1, "sha256Hash": .string(hash)]
        return .object(members)
    }

    private static func text(_ text: String) throws(InvalidRequestError) -> Data {
        try RequestBody.json(of: text, with: Coders.encoder)
    }

    /// The SHA-256 hash of the document in hexadecimal digits.
    package var hash: String {
        Hex.encoded(SHA256.hash(data: Data(operation.query.utf8)))
    }
}

extension JSONEncoder {
    /// An encoder with the same strategies that sorts the members of objects.
    fileprivate var sortingKeys: JSONEncoder {
        let copy = JSONEncoder()
        copy.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        copy.dateEncodingStrategy = dateEncodingStrategy
        copy.dataEncodingStrategy = dataEncodingStrategy
        copy.nonConformingFloatEncodingStrategy = nonConformingFloatEncodingStrategy
        copy.keyEncodingStrategy = keyEncodingStrategy
        copy.userInfo = userInfo
        return copy
    }
}
