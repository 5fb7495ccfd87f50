// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

/// Conversions of header fields and bodies to and from the archive format.
enum CassetteText {
    /// Returns the fields as records.
    static func records(_ fields: HTTPFields) -> [HARDocument.Record] {
        fields.map { HARDocument.Record(name: $0.name.rawName, value: $0.value) }
    }

    /// Returns the fields of records; one with an invalid name is left out.
    static func fields(_ records: [HARDocument.Record]) -> HTTPFields {
        records.reduce(into: HTTPFields()) { fields, record in
            if let name = HTTPField.Name(record.name) { fields.append(HTTPField(name: name, value: record.value)) }
        }
    }

    /// Returns the cookies of a request with redacted values.
    static func cookies(sentIn fields: HTTPFields, hiding secrets: SecretSearch) -> [HARDocument.Record] {
        hidden(HARDocument.Record.cookies(sentIn: fields, redactor: Redactor(.standard)), secrets: secrets)
    }

    /// Returns the cookies that a response sets, with redacted values.
    static func cookies(setBy fields: HTTPFields, hiding secrets: SecretSearch) -> [HARDocument.Record] {
        hidden(HARDocument.Record.cookies(setBy: fields, redactor: Redactor(.standard)), secrets: secrets)
    }

    /// Redacts names, too: a name may be a secret that occurs elsewhere in the exchange.
    private static func hidden(_ cookies: [HARDocument.Record], secrets: SecretSearch) -> [HARDocument.Record] {
        cookies.map { HARDocument.Record(name: secrets.hidden(in: $0.name), value: $0.value) }
    }

    /// Returns a body as text, or in base64 with the name of that encoding.
    static func text(_ bytes: Data) -> (text: String, encoding: String?) {
        if let text = String(validating: bytes, as: UTF8.self) { return (text, nil) }
        return (bytes.base64EncodedString(), "base64")
    }

    /// Returns the body that a text encodes.
    static func bytes(_ text: String?, encoding: String?) throws -> Data {
        guard let text else { return Data() }
        guard let encoding, !encoding.isEmpty else { return Data(text.utf8) }
        guard encoding.lowercased() == "base64", let bytes = Data(base64Encoded: text) else {
            throw Cassette.UnreadableError("a body is encoded as \(encoding), which is not base64")
        }
        return bytes
    }
}
