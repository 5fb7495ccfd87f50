// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Header fields and bodies as an archive holds them.
enum CassetteText {
    /// The fields as records.
    static func records(_ fields: HTTPFields) -> [HARDocument.Record] {
        fields.map { HARDocument.Record(name: $0.name.rawName, value: $0.value) }
    }

    /// The fields that records stand for; one whose name is none is left out.
    static func fields(_ records: [HARDocument.Record]) -> HTTPFields {
        records.reduce(into: HTTPFields()) { fields, record in
            if let name = HTTPField.Name(record.name) { fields.append(HTTPField(name: name, value: record.value)) }
        }
    }

    /// A body as text, or in base64, which the encoding says.
    static func text(_ bytes: Data) -> (text: String, encoding: String?) {
        if let text = String(validating: bytes, as: UTF8.self) { return (text, nil) }
        return (bytes.base64EncodedString(), "base64")
    }

    /// The body that a text stands for.
    static func bytes(_ text: String?, _ encoding: String?) throws -> Data {
        guard let text else { return Data() }
        guard let encoding, !encoding.isEmpty else { return Data(text.utf8) }
        guard encoding.lowercased() == "base64", let bytes = Data(base64Encoded: text) else {
            throw Cassette.Unreadable("a body is encoded as \(encoding), which is not base64")
        }
        return bytes
    }
}
