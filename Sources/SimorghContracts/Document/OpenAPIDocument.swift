// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghREST
import SimorghSupport

/// An OpenAPI document as JSON, and its references.
struct OpenAPIDocument: Sendable {
    /// The largest number of references that are followed from one to the next.
    static let maximumReferences = 32
    /// The largest length of a reference, in bytes.
    static let maximumReferenceBytes = 4096

    let root: JSON

    /// Follows references until a value is not a reference.
    ///
    /// - Throws: ``ContractDocumentError`` for a cycle, or a reference that points to nothing or out of the document.
    func resolved(_ value: JSON) throws(ContractDocumentError) -> JSON {
        var references = 0
        return try resolved(value, references: &references)
    }

    /// Follows references as ``resolved(_:)`` does, and adds their number to `references`.
    func resolved(_ value: JSON, references: inout Int) throws(ContractDocumentError) -> JSON {
        var value = value
        for _ in 0...Self.maximumReferences {
            guard let reference = value["$ref"].string else { return value }
            value = try target(of: reference)
            references += 1
        }
        throw ContractDocumentError("the references at \(value["$ref"].string ?? "") form a cycle")
    }

    /// Returns the value that a reference points to.
    func target(of reference: String) throws(ContractDocumentError) -> JSON {
        guard reference.hasPrefix("#") else {
            throw ContractDocumentError(
                "the reference \(reference.prefix(200)) points out of the document: bundle all files into one")
        }
        guard reference.utf8.count <= Self.maximumReferenceBytes else {
            throw ContractDocumentError(
                "the reference \(reference.prefix(200))… is longer than \(Self.maximumReferenceBytes) bytes")
        }
        let text = PercentEncoding.decodedText(reference.dropFirst())
        guard let pointer = try? JSONPointer(parsing: text), let value = root[at: pointer] else {
            throw ContractDocumentError("the reference \(reference.prefix(200)) points to nothing")
        }
        return value
    }

    /// Returns the names of the query items that are keys of the document's security schemes.
    func queryKeys() throws(ContractDocumentError) -> Set<String> {
        var names: Set<String> = []
        for entry in (root.components.securitySchemes.object ?? [:]).values {
            let scheme = try resolved(entry)
            if scheme.type == "apiKey", scheme["in"] == "query", let name = scheme.name.string { names.insert(name) }
        }
        return names
    }
}
