// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport
import SimorghTesting

/// Creates the responses of a document.
struct ContractResponse {
    let operation: OpenAPIOperation
    let document: OpenAPIDocument

    /// Returns a documented response.
    ///
    /// - Parameters:
    ///   - status: The status; `nil` for the usual one.
    ///   - name: The name of the example; `nil` for the first.
    ///   - accept: The `Accept` field of the request.
    /// - Returns: The response, with the first media type that the client accepts.
    /// - Throws: ``ContractDocumentError`` if the document has no such response or example.
    func response(status: Int? = nil, example name: String? = nil, accept: String?) throws -> StubResponse {
        let code = status ?? operation.usualStatus
        guard (100...999).contains(code), let described = try operation.response(for: code) else {
            let statuses = operation.statuses.joined(separator: ", ")
            throw ContractDocumentError("\(operation.name) has no response \(code), only \(statuses)")
        }
        var response = StubResponse(status: HTTPResponse.Status(code: code))
        // All header fields share the bounds of one example.
        var examples = SchemaExample(document)
        for (name, header) in (described.headers.object ?? [:]).sorted(by: { $0.key < $1.key }) {
            let header = try document.resolved(header)
            try add(header, named: name, to: &response.headerFields, examples: &examples)
        }
        let contents = described.content.object ?? [:]
        guard let type = Self.type(of: contents, accept: accept), let media = contents[type] else {
            guard name == nil else { throw ContractDocumentError("\(operation.name) has no examples for \(code)") }
            return response
        }
        let value = try body(of: media, example: name, status: code)
        if response.headerFields[.contentType] == nil { response.headerFields[.contentType] = type }
        response.content = .steps([.bytes(try Self.bytes(of: value, type: type))])
        return response
    }

    private func add(
        _ header: JSON, named name: String, to fields: inout HTTPFields, examples: inout SchemaExample
    ) throws {
        // Content-Type is ignored in a list of header fields, as OpenAPI says.
        guard let field = HTTPField.Name(name), field != .contentType else { return }
        var json = header.example
        if json.isNull, let first = header.examples.object?.min(by: { $0.key < $1.key }) {
            json = try document.resolved(first.value).value
        }
        if json.isNull, header.required == .bool(true) { json = try examples.value(for: header.schema) }
        guard !json.isNull else { return }
        let text = try json.string ?? String(decoding: json.data(), as: UTF8.self)
        guard HTTPField.isValidValue(text) else { return }
        fields[field] = text
    }

    private func body(of media: JSON, example name: String?, status: Int) throws -> JSON {
        let examples = media.examples.object ?? [:]
        if let name {
            guard let example = examples[name] else {
                let names = examples.keys.sorted().joined(separator: ", ")
                throw ContractDocumentError(
                    "the response \(status) of \(operation.name) has no example \"\(name)\", only \(names)")
            }
            return try document.resolved(example).value
        }
        if media.object?["example"] != nil { return media.example }
        if let first = examples.min(by: { $0.key < $1.key }) { return try document.resolved(first.value).value }
        var created = SchemaExample(document)
        return media.schema.isNull ? .null : try created.value(for: media.schema)
    }

    private static func bytes(of value: JSON, type: String) throws -> Data {
        let type = HeaderParameters(type)?.value.lowercased() ?? type
        if type == "application/json" || type.hasSuffix("+json") { return try value.data() }
        return value.isNull ? Data() : try value.string.map { Data($0.utf8) } ?? value.data()
    }

    /// Returns the first media type that the client accepts, JSON before others; the first of all if it accepts none.
    private static func type(of contents: [String: JSON], accept: String?) -> String? {
        let types = contents.keys.sorted { ($0.contains("json") ? 0 : 1, $0) < ($1.contains("json") ? 0 : 1, $1) }
        let accepted = (accept ?? "*/*").split(separator: ",")
            .compactMap { HeaderParameters(String($0.trimmingBlanks)) }
        let found = types.first { type in
            let range = "\(type.prefix { $0 != "/" })/*"
            return accepted.contains { ["*/*", range, type].contains($0.value.lowercased()) }
        }
        return found ?? types.first
    }
}
