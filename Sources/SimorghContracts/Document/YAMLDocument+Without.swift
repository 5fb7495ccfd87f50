// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !YAML
import SimorghCore
import SimorghSupport

/// Rejects YAML, which needs the package's trait `YAML`.
enum YAMLDocument {
    static func json(from bytes: Data, limits: OpenAPIContract.Limits) throws -> JSON {
        throw ContractDocumentError(
            "the document is not JSON: for YAML, add traits: [\"YAML\"] to the dependency on Simorgh in Package.swift")
    }
}
#endif
