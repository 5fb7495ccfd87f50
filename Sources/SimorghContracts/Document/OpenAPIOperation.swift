// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

/// An operation of a document: a method of a path.
struct OpenAPIOperation: Sendable {
    /// The method and the path, such as `GET /users/{id}`.
    let name: String
    let json: JSON
    /// The path item, whose parameters apply to all of its operations.
    private let item: JSON
    private let document: OpenAPIDocument

    /// Creates the operation for a method; `nil` if the path has none.
    init?(_ path: OpenAPIPath, method: HTTPRequest.Method, document: OpenAPIDocument) {
        let key = method.rawValue.lowercased()
        guard path.methods.contains(key) else { return nil }
        name = "\(method.rawValue) \(path.template)"
        json = path.item[key]
        item = path.item
        self.document = document
    }

    /// The parameters of the path and the operation; of two with the same name and location, that of the operation.
    func parameters() throws(ContractDocumentError) -> [JSON] {
        var known: [String: JSON] = [:]
        for list in [item.parameters.array ?? [], json.parameters.array ?? []] {
            for entry in list {
                let parameter = try document.resolved(entry)
                let location = parameter["in"].string ?? ""
                let name = parameter.name.string ?? ""
                known["\(location) \(location == "header" ? name.lowercased() : name)"] = parameter
            }
        }
        return known.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The request's body; `nil` if the operation has none.
    func requestBody() throws(ContractDocumentError) -> JSON? {
        // In a conditional expression, nil would be the JSON value null.
        guard !json.requestBody.isNull else { return nil }
        return try document.resolved(json.requestBody)
    }

    /// The documented statuses, such as `200`, `4XX` and `default`, sorted.
    var statuses: [String] { (json.responses.object ?? [:]).keys.sorted() }

    /// Returns the response for a status; `nil` if the document has none.
    func response(for status: Int) throws(ContractDocumentError) -> JSON? {
        for key in ["\(status)", "\(status / 100)XX", "\(status / 100)xx", "default"] {
            let response = json.responses[key]
            if !response.isNull { return try document.resolved(response) }
        }
        return nil
    }

    /// The status of a response unless the test chooses one: the lowest successful one, else the lowest.
    var usualStatus: Int {
        let codes = statuses.compactMap { key -> Int? in
            if let code = Int(key) { return code }
            return key.uppercased().hasSuffix("XX") ? key.first?.wholeNumberValue.map { $0 * 100 } : nil
        }.filter { (100...999).contains($0) }
        return codes.first { (200..<300).contains($0) } ?? (statuses.contains("default") ? 200 : codes.first ?? 200)
    }
}
