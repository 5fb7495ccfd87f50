// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

/// A request as Swift code that sends it with a client.
package enum SwiftText {
    /// Returns the code.
    ///
    /// - Parameter request: The request, whose secrets are redacted.
    /// - Returns: The code; the name `client` is an `APIClient` without a base URL.
    package static func code(for request: TransportRequest) -> String {
        let method = RequestMethod(rawValue: request.head.method.rawValue)
        let name =
            switch method {
            case .custom(let name): ".custom(\(literal(name)))"
            default: ".\(method.rawValue.lowercased())"
            }
        var arguments = ["\(name), \(literal(request.urlString))"]
        let fields = request.head.headerFields.filter {
            $0.name.canonicalName != "content-type" || request.body.isEmpty
        }
        if !fields.isEmpty {
            // A dictionary literal with a repeated name traps.
            var names: [String] = []
            var values: [String: String] = [:]
            for field in fields {
                let name = field.name.canonicalName
                if values[name] == nil { names.append(field.name.rawName) }
                values[name] = values[name].map { "\($0), \(field.value)" } ?? field.value
            }
            let items = names.map { "        \(literal($0)): \(literal(values[$0.lowercased()] ?? ""))," }
            arguments.append("headers: [\n\(items.joined(separator: "\n"))\n    ]")
        }
        if let bytes = request.body.bytes, !bytes.isEmpty {
            let type = request.head.headerFields[.contentType] ?? request.body.contentType
            let text = literal(String(decoding: bytes, as: UTF8.self))
            arguments.append("body: .text(\(text), contentType: \(literal(type ?? "application/octet-stream")))")
        } else if !request.body.isEmpty {
            // The page looks for this line.
            arguments.append("body: .empty /* the body was streamed, is not text, or is not kept as a whole */")
        }
        let list = arguments.joined(separator: ",\n    ")
        return "// For a client without a base URL.\nlet answer = try await client.call(\n    \(list)\n).response()\n"
    }

    /// Returns a Swift string literal on one line.
    package static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": literal += "\\\\"
            case "\"": literal += "\\\""
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            // Also marks that change the direction of text, so that the code reads as it runs.
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || turnsText(scalar):
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    private static func turnsText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
