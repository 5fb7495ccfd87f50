// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension StubResponse {
    /// Returns the response with its placeholders replaced by the matched segments, if the response has replacement
    /// enabled.
    package func filled(with parameters: [String: String]) -> StubResponse {
        guard wire.replacesPlaceholders, !parameters.isEmpty, case .steps(let steps) = content else { return self }
        var response = self
        let isJSON = headerFields[.contentType]?.lowercased().contains("json") == true
        response.content = .steps(
            steps.map { step in
                guard case .bytes(let bytes) = step, let text = String(validating: bytes, as: UTF8.self) else {
                    return step
                }
                return .bytes(Data(Self.fill(text, with: parameters, escapesJSON: isJSON).utf8))
            })
        for index in response.headerFields.indices {
            let field = response.headerFields[index]
            response.headerFields[index].value = Self.fill(field.value, with: parameters, escapesJSON: false)
        }
        return response
    }

    /// Replaces each known `{name}` in one pass; replaced text is not scanned again.
    package static func fill(_ text: String, with parameters: [String: String], escapesJSON: Bool) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            rest = rest[open...]
            let name = rest.dropFirst().prefix { $0 != "{" && $0 != "}" }
            let end = name.endIndex
            if end < rest.endIndex, rest[end] == "}", let value = parameters[String(name)] {
                result += escapesJSON ? escaped(value) : value
                rest = rest[rest.index(after: end)...]
            } else {
                result += "{"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    /// Returns a text escaped for the inside of a JSON string.
    private static func escaped(_ text: String) -> String {
        String(EchoJSON.string(text).text.dropFirst().dropLast())
    }
}
