// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport
import SimorghTesting

/// Compares a request with an operation of a document.
struct RequestCheck {
    private let operation: OpenAPIOperation
    private let document: OpenAPIDocument
    private var schemas: SchemaCheck

    /// The differences, one line each.
    var problems: [String] { schemas.problems }

    init(_ operation: OpenAPIOperation, document: OpenAPIDocument, bodySize: Int) {
        self.operation = operation
        self.document = document
        schemas = SchemaCheck(document, bodySize: bodySize)
    }

    /// Compares a request with the operation; `segments` has the texts of the path's placeholders.
    mutating func check(_ request: RecordedRequest, segments: [String: String]) throws(ContractDocumentError) {
        let parameters = try operation.parameters()
        for parameter in parameters { try check(parameter, request: request, segments: segments) }
        try checkUnknownItems(of: request, parameters: parameters)
        try checkBody(of: request)
    }

    // MARK: Parameters

    private mutating func check(
        _ parameter: JSON, request: RecordedRequest, segments: [String: String]
    ) throws(ContractDocumentError) {
        let name = parameter.name.string ?? ""
        let location = parameter["in"].string ?? ""
        let texts: [String]
        switch location {
        case "path": texts = segments[name].map { [$0] } ?? []
        case "query": texts = request.query.filter { $0.name == name }.map(\.value)
        case "header":
            guard let field = HTTPField.Name(name), !Self.ignoredFields.contains(field) else { return }
            texts = request.header(field).map { [$0] } ?? []
        case "cookie": texts = Self.cookies(of: request).filter { $0.name == name }.map(\.value)
        default: return
        }
        // The encodings of objects, and these styles, are not decoded.
        let types = try schemas.types(of: parameter.schema)
        if types.contains("object") || parameter.style == "label" || parameter.style == "matrix" { return }
        let title = "the \(Self.titles[location] ?? location) \"\(name)\""
        guard !texts.isEmpty else {
            if parameter.required == .bool(true), parameter.style != "deepObject" {
                schemas.report("\(title) is missing")
            }
            return
        }
        // A parameter with a media type of its own has no schema here.
        guard !parameter.schema.isNull else { return }
        let separator = Self.separator(of: parameter, location: location)
        let value = try self.value(of: texts, schema: parameter.schema, types: types, separator: separator)
        let isSecret = Self.isSecret(name, location: location)
        try schemas.check(value, against: parameter.schema, named: ValueName(title, isSecret: isSecret))
    }

    /// The header fields whose parameters are ignored, as OpenAPI says.
    private static let ignoredFields: Set<HTTPField.Name> = [.accept, .contentType, .authorization]

    /// Returns true if the value of a parameter is not shown in messages.
    private static func isSecret(_ name: String, location: String) -> Bool {
        switch location {
        case "header": SensitiveNames.isSensitiveInField(name)
        case "cookie": true
        default: RedactionRules.standard.isSecret(name.utf8, inQuery: location == "query")
        }
    }

    private static let titles = [
        "path": "path parameter", "query": "query item", "header": "header field", "cookie": "cookie",
    ]

    /// Returns the character between the elements of a list; `nil` if each is an item of its own.
    private static func separator(of parameter: JSON, location: String) -> Character? {
        switch parameter.style.string {
        case "spaceDelimited": " "
        case "pipeDelimited": "|"
        default: location == "query" && parameter.explode != .bool(false) ? nil : ","
        }
    }

    /// Returns the value that the texts of a parameter stand for.
    private mutating func value(
        of texts: [String], schema: JSON, types: Set<String>, separator: Character?
    ) throws(ContractDocumentError) -> JSON {
        guard types.contains("array") else {
            let text = texts.last ?? ""
            return try value(Self.scalar(text, types: types), or: .string(text), schema: schema, types: types)
        }
        var elements = texts
        if let separator {
            elements = texts.flatMap { text in
                text.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
            }
        }
        elements = elements.map { String($0.trimmingBlanks) }
        let elementTypes = try schemas.elementTypes(of: schema)
        let typed = JSON.array(elements.map { Self.scalar($0, types: elementTypes) })
        let list = JSON.array(elements.map { JSON.string($0) })
        return try value(typed, or: list, schema: schema, types: elementTypes)
    }

    /// Returns the value with numbers and Boolean values, or the one with texts if the schema allows only that.
    private mutating func value(
        _ typed: JSON, or text: JSON, schema: JSON, types: Set<String>
    ) throws(ContractDocumentError) -> JSON {
        guard typed != text, types.contains("string"), try !schemas.allows(typed, by: schema),
            try schemas.allows(text, by: schema)
        else { return typed }
        return text
    }

    /// Returns the JSON value of a text: a number or a Boolean value only if the schema allows one.
    private static func scalar(_ text: String, types: Set<String>) -> JSON {
        if types.contains("boolean"), text == "true" || text == "false" { return .bool(text == "true") }
        if types.contains("integer") || types.contains("number"), let json = try? JSON(parsing: Data(text.utf8)),
            case .number = json
        {
            return json
        }
        return .string(text)
    }

    private mutating func checkUnknownItems(
        of request: RecordedRequest, parameters: [JSON]
    ) throws(ContractDocumentError) {
        let known = parameters.filter { $0["in"] == "query" }
        for parameter in known where parameter.style != "deepObject" {
            // An object in its own style may have any names.
            if try schemas.types(of: parameter.schema).contains("object") { return }
        }
        let unknown = request.query.map(\.name).filter { item in
            !known.contains { parameter in
                guard let name = parameter.name.string else { return false }
                return item == name || parameter.style == "deepObject" && item.hasPrefix("\(name)[")
            }
        }
        // The security schemes may have references out of the document, which other requests do not need.
        guard !unknown.isEmpty else { return }
        let keys = try document.queryKeys()
        for item in unknown where !keys.contains(item) {
            schemas.report("the query item \"\(item.prefix(100))\" is not in the document")
        }
    }

    private static func cookies(of request: RecordedRequest) -> [(name: String, value: String)] {
        request.head.headerFields[values: .cookie].flatMap { $0.split(separator: ";") }.map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0].trimmingBlanks), parts.count == 2 ? String(parts[1].trimmingBlanks) : "")
        }
    }

    // MARK: The body

    private mutating func checkBody(of request: RecordedRequest) throws(ContractDocumentError) {
        let type = request.header(.contentType).flatMap { HeaderParameters($0)?.value.lowercased() }
        guard let body = try operation.requestBody() else {
            if !request.body.isEmpty {
                schemas.report("the request has a body (\(type ?? "without a media type")); the operation has none")
            }
            return
        }
        let contents = body.content.object ?? [:]
        let list = contents.keys.sorted().joined(separator: " or ")
        if request.body.isEmpty, type == nil {
            if body.required == .bool(true) { schemas.report("the body is missing; it should be \(list)") }
            return
        }
        guard let media = Self.media(for: type ?? "", in: contents) else {
            return schemas.report("the body is \(type ?? "without a media type"); it should be \(list)")
        }
        guard !media.schema.isNull, let type else { return }
        let name = ValueName("the body")
        if type == "application/json" || type.hasSuffix("+json") {
            let json: JSON
            do {
                json = try JSON(parsing: request.body)
            } catch {
                return schemas.report("the body is not valid JSON: \(error)")
            }
            try schemas.check(json, against: media.schema, named: name)
        } else if type == "application/x-www-form-urlencoded" {
            let form = try self.form(in: request.body, schema: media.schema)
            try schemas.check(form, against: media.schema, named: name)
        }
    }

    /// Returns the media type object for a media type: its own, or that of a range such as `text/*`.
    ///
    /// Of several keys with the same media type, such as `text/plain` and `text/plain; charset=utf-8`, the first one in
    /// alphabetical order counts.
    private static func media(for type: String, in contents: [String: JSON]) -> JSON? {
        let known = contents.sorted { $0.key < $1.key }
            .map { (type: HeaderParameters($0.key)?.value.lowercased() ?? $0.key, json: $0.value) }
        let range = "\(type.prefix { $0 != "/" })/*"
        for wanted in [type, range, "*/*"] {
            if let found = known.first(where: { $0.type == wanted }) { return found.json }
        }
        return nil
    }

    /// Returns a form as an object: the items with the name of a list are its elements.
    private mutating func form(in body: Data, schema: JSON) throws(ContractDocumentError) -> JSON {
        var properties: [String: JSON] = [:]
        for part in try schemas.parts(of: schema) {
            let others = part.properties.object ?? [:]
            try schemas.addSteps(others.count)
            properties.merge(others) { first, _ in first }
        }
        var members: [String: JSON] = [:]
        for (name, items) in Dictionary(grouping: FormURLEncoded.parse(body), by: \.name) {
            let property = properties[name] ?? .null
            let types = try schemas.types(of: property)
            members[name] = try value(of: items.map(\.value), schema: property, types: types, separator: nil)
        }
        return .object(members)
    }
}
