// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension ProblemDetails {
    /// Decodes the whole document, with its extensions, into a model.
    ///
    /// ```swift
    /// struct OutOfCredit: Decodable { var balance: Int }
    /// do {
    ///     try await client.post("orders")
    /// } catch let error as NetworkError where error.problem?.type == "https://example.com/probs/out-of-credit" {
    ///     print(try error.problem?.decode(OutOfCredit.self).balance ?? 0)
    /// }
    /// ```
    /// - Parameters:
    ///   - type: The model. Of an XML document all extensions are strings, arrays or objects.
    ///   - decoder: The decoder.
    /// - Returns: The model.
    /// - Throws: `DecodingError`.
    public func decode<Model: Decodable>(
        _ type: Model.Type = Model.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Model {
        try decoder.decode(type, from: try document.data())
    }
}
