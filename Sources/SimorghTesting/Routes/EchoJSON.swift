// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// A JSON value for output, with members in the given order.
package indirect enum EchoJSON: Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case string(String)
    case array([EchoJSON])
    case object([(String, EchoJSON)])
    /// Text that is known to be valid JSON.
    case verbatim(String)

    package var text: String {
        var text = ""
        write(into: &text)
        return text
    }

    private func write(into text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .int(let value): text += String(value)
        case .string(let value): text += LogText.json(value)
        case .verbatim(let json): text += json
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += ", " }
                value.write(into: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += ", " }
                text += LogText.json(member.0)
                text += ": "
                member.1.write(into: &text)
            }
            text += "}"
        }
    }

    /// Returns names and values as an object.
    ///
    /// A repeated name gets a list of its values.
    package static func grouped(_ items: some Sequence<(name: String, value: String)>) -> EchoJSON {
        var order: [String] = []
        var values: [String: [String]] = [:]
        for item in items {
            if values[item.name] == nil { order.append(item.name) }
            values[item.name, default: []].append(item.value)
        }
        return .object(
            order.map { name in
                let all = values[name] ?? []
                return (name, all.count == 1 ? .string(all[0]) : .array(all.map { .string($0) }))
            })
    }
}
