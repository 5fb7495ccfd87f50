// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

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

    /// The cookies of a request, their values hidden.
    static func cookies(sentIn fields: HTTPFields, hiding secrets: SecretSearch) -> [HARDocument.Record] {
        hidden(HARDocument.Record.cookies(sentIn: fields, Redactor(.standard)), secrets)
    }

    /// The cookies that a response sets, their values hidden.
    static func cookies(setBy fields: HTTPFields, hiding secrets: SecretSearch) -> [HARDocument.Record] {
        hidden(HARDocument.Record.cookies(setBy: fields, Redactor(.standard)), secrets)
    }

    /// A name may be a secret that the exchange has elsewhere, too.
    private static func hidden(_ cookies: [HARDocument.Record], _ secrets: SecretSearch) -> [HARDocument.Record] {
        cookies.map { HARDocument.Record(name: secrets.hidden(in: $0.name), value: $0.value) }
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
