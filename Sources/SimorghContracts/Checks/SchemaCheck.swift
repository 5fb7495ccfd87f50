// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// Compares a JSON value with a schema of a document.
///
/// A value and a schema that refers to itself end together, but a schema may also repeat itself without the value, so
/// depth and steps are bounded.
struct SchemaCheck {
    /// The largest depth of a schema.
    static let maximumDepth = 128
    /// The largest number of steps for a request without a body.
    ///
    /// Each schema, reference, choice, type, required name and member of an object that is compared is a step.
    static let maximumSteps = 100_000
    /// The number of further steps for each byte of the body.
    static let stepsPerByte = 8
    /// The largest number of differences that are reported.
    static let maximumProblems = 20
    /// The largest number of characters of a value in a difference.
    private static let maximumShown = 60

    let document: OpenAPIDocument
    private(set) var problems: [String] = []
    private var steps = 0
    private let limit: Int

    /// Creates a comparison without differences.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - bodySize: The size of the request's body, in bytes.
    init(_ document: OpenAPIDocument, bodySize: Int) {
        self.document = document
        limit = Self.maximumSteps + Self.stepsPerByte * bodySize
    }

    /// Creates the comparison with an alternative, which continues to count the steps of another one.
    private init(alternativeOf other: SchemaCheck) {
        document = other.document
        limit = other.limit
        steps = other.steps
    }

    /// Compares a value with a schema.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - schema: The schema.
    ///   - name: The name of the value in the differences.
    ///   - depth: The depth of the schema.
    ///   - whole: The schema of the value that this schema is a part of; `nil` if it is not a part of another one.
    /// - Throws: ``ContractDocumentError`` for a reference to nothing, and beyond the bounds.
    mutating func check(
        _ value: JSON, against schema: JSON, named name: ValueName, depth: Int = 0, partOf whole: JSON? = nil
    ) throws(ContractDocumentError) {
        let whole = whole ?? schema
        steps += Self.stepCount(for: value, schema: schema)
        guard depth < Self.maximumDepth, steps < limit else {
            throw ContractDocumentError(
                """
                the schema of \(name) is nested more than \(Self.maximumDepth) levels deep, or needs more than \
                \(limit) steps; its references may form a cycle
                """)
        }
        if schema == .bool(false) { return report("\(name) is not allowed") }
        guard schema.object != nil else { return }
        // Users of OpenAPI 3.0 write `nullable` beside a reference in `allOf`, whose schema does not have it.
        if value.isNull, schema.nullable == .bool(true) { return }
        if let reference = schema["$ref"].string {
            let target = try document.target(of: reference)
            try check(value, against: target, named: name, depth: depth + 1, partOf: whole)
        }
        guard checkType(of: value, schema: schema, name: name) else { return }
        checkChoice(of: value, schema: schema, name: name)
        checkBounds(of: value, schema: schema, name: name)
        if case .object(let members) = value {
            try checkMembers(members, schema: schema, whole: whole, name: name, depth: depth)
        }
        if case .array(let elements) = value, !schema.items.isNull {
            // The first elements of a tuple have schemas of their own, which are not compared.
            for index in elements.indices.dropFirst(schema.prefixItems.array?.count ?? 0) {
                try check(elements[index], against: schema.items, named: name.element(index), depth: depth + 1)
            }
        }
        for part in schema.allOf.array ?? [] {
            try check(value, against: part, named: name, depth: depth + 1, partOf: whole)
        }
        for alternatives in [schema.anyOf.array, schema.oneOf.array].compactMap({ $0 }) where !alternatives.isEmpty {
            try checkAlternatives(alternatives, value: value, whole: whole, name: name, depth: depth)
        }
    }

    /// Returns true if a schema allows a value; differences are not added.
    mutating func allows(_ value: JSON, by schema: JSON) throws(ContractDocumentError) -> Bool {
        var other = SchemaCheck(alternativeOf: self)
        try other.check(value, against: schema, named: ValueName("a value"))
        steps = other.steps
        return other.problems.isEmpty
    }

    /// Counts steps that are not those of ``check(_:against:named:depth:partOf:)``.
    mutating func addSteps(_ more: Int) throws(ContractDocumentError) {
        steps += more
        guard steps < limit else {
            throw ContractDocumentError(
                "the schemas for the request need more than \(limit) steps; their references may form a cycle")
        }
    }

    /// Adds a difference, whose text is created only below the limit.
    mutating func report(_ problem: @autoclosure () -> String) {
        guard problems.count < Self.maximumProblems else { return }
        let text = problem()
        if !problems.contains(text) { problems.append(text) }
    }

    private mutating func checkAlternatives(
        _ alternatives: [JSON], value: JSON, whole: JSON, name: ValueName, depth: Int
    ) throws(ContractDocumentError) {
        // An alternative of the value's own type is nearer than any other.
        var (nearest, hasType): ([String]?, Bool) = (nil, false)
        for alternative in alternatives {
            var other = SchemaCheck(alternativeOf: self)
            try other.check(value, against: alternative, named: name, depth: depth + 1, partOf: whole)
            steps = other.steps
            if other.problems.isEmpty { return }
            let types = Self.listedTypes(of: try document.resolved(alternative))
            let isOfType = types.contains { Self.kinds(of: value).contains($0) }
            let isNearer = nearest.map { other.problems.count < $0.count } ?? true
            if isOfType != hasType ? isOfType : isNearer { (nearest, hasType) = (other.problems, isOfType) }
        }
        for problem in nearest ?? [] { report(problem) }
    }

    private mutating func checkType(of value: JSON, schema: JSON, name: ValueName) -> Bool {
        let allowed = Self.listedTypes(of: schema)
        let kinds = Self.kinds(of: value)
        if allowed.isEmpty || allowed.contains(where: kinds.contains) { return true }
        let list = allowed.prefix(10).map { String($0.prefix(100)) }.joined(separator: " or ")
        report("\(name) is \(kinds[0]), not \(list)")
        return false
    }

    private mutating func checkChoice(of value: JSON, schema: JSON, name: ValueName) {
        if let values = schema.enum.array, !values.contains(value) {
            let list = values.prefix(10).map { Self.shown($0) }.joined(separator: ", ")
            report("\(name) is \(Self.shown(value, of: name)), not one of \(list)")
        }
        if schema.object?["const"] != nil, schema.const != value {
            report("\(name) is \(Self.shown(value, of: name)), not \(Self.shown(schema.const))")
        }
    }

    private mutating func checkBounds(of value: JSON, schema: JSON, name: ValueName) {
        if case .number(let number) = value {
            if let least = schema.minimum.double, number.double < least {
                report("\(name) is \(Self.shown(value, of: name)), less than \(Self.shown(schema.minimum))")
            }
            if let most = schema.maximum.double, number.double > most {
                report("\(name) is \(Self.shown(value, of: name)), more than \(Self.shown(schema.maximum))")
            }
        }
        let size: (count: Int, unit: String, least: JSON, most: JSON)
        switch value {
        case .string(let text): size = (text.unicodeScalars.count, "characters", schema.minLength, schema.maxLength)
        case .array(let elements): size = (elements.count, "elements", schema.minItems, schema.maxItems)
        default: return
        }
        if let least = size.least.int, size.count < least {
            report("\(name) has \(size.count) \(size.unit), less than \(least)")
        }
        if let most = size.most.int, size.count > most {
            report("\(name) has \(size.count) \(size.unit), more than \(most)")
        }
    }

    private mutating func checkMembers(
        _ members: [String: JSON], schema: JSON, whole: JSON, name: ValueName, depth: Int
    ) throws(ContractDocumentError) {
        try checkRequired(members, schema: schema, whole: whole, name: name)
        let properties = schema.properties.object ?? [:]
        for (member, value) in members.sorted(by: { $0.key < $1.key }) {
            if let property = properties[member] {
                try check(value, against: property, named: name.member(member), depth: depth + 1)
            } else if !schema.patternProperties.isNull {
                // One of the patterns, which are not compared, may match.
                continue
            } else if schema.additionalProperties == .bool(false) {
                report("\(name) has \"\(member.prefix(100))\", which is not allowed")
            } else if schema.additionalProperties.object != nil {
                try check(value, against: schema.additionalProperties, named: name.member(member), depth: depth + 1)
            }
        }
    }

    private mutating func checkRequired(
        _ members: [String: JSON], schema: JSON, whole: JSON, name: ValueName
    ) throws(ContractDocumentError) {
        var parts: [JSON]?
        for required in (schema.required.array ?? []).compactMap(\.string) where members[required] == nil {
            guard problems.count < Self.maximumProblems else { return }
            // Only responses have such members. Another part of the whole schema may define the member.
            if try isReadOnly(required, in: [schema]) { continue }
            if parts == nil { parts = try self.parts(of: whole) }
            if try isReadOnly(required, in: parts ?? []) { continue }
            report("\(name) has no \"\(required.prefix(100))\", which is required")
        }
    }

    /// Returns true if one of an object's schemas defines a member as read-only.
    private mutating func isReadOnly(_ member: String, in schemas: [JSON]) throws(ContractDocumentError) -> Bool {
        for part in schemas {
            var references = 0
            let property = try document.resolved(part.properties[member], references: &references)
            try addSteps(1 + references)
            if property.readOnly == .bool(true) { return true }
        }
        return false
    }

    /// Returns the allowed types that a schema itself lists; empty for all.
    static func listedTypes(of schema: JSON) -> [String] {
        schema.type.string.map { [$0] } ?? (schema.type.array ?? []).compactMap(\.string)
    }

    /// Returns the types that a value has.
    static func kinds(of value: JSON) -> [String] {
        switch value {
        case .null: ["null"]
        case .bool: ["boolean"]
        // In JSON, 1.0 is an integer.
        case .number(let number): number.double.rounded() == number.double ? ["integer", "number"] : ["number"]
        case .string: ["string"]
        case .array: ["array"]
        case .object: ["object"]
        }
    }

    /// Returns a short text of a value of the request for messages, without a secret.
    private static func shown(_ value: JSON, of name: ValueName) -> String {
        if name.isSecret { return RedactionRules.mask }
        switch value {
        // Each member and element may be a secret.
        case .object: return "an object"
        case .array: return "an array"
        default: return shown(value)
        }
    }

    /// Returns a short text of a value of the document for messages.
    private static func shown(_ value: JSON) -> String {
        var value = value
        switch value {
        case .object: return "the document's object"
        case .array: return "the document's array"
        // With its quotation marks, the text is too long if it was cut.
        case .string(let text): value = .string(String(text.unicodeScalars.prefix(maximumShown)))
        default: break
        }
        let text = (try? value.data()).map { String(decoding: $0, as: UTF8.self) } ?? "a value"
        let start = text.unicodeScalars.prefix(maximumShown)
        return start.endIndex < text.endIndex ? "\(String(start))…" : text
    }
}
