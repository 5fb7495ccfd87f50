// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// The types of the values in JSON by path, without the values: the part that a client's models depend on.
package struct JSONShape: Sendable, Equatable {
    /// The types found at each path, such as `users[].name`.
    package private(set) var places: [String: Set<String>] = [:]

    package init(_ json: JSON) { add(json, "") }

    /// Returns the differences between two shapes, one line each, sorted by path.
    ///
    /// A value that is sometimes `null`, and a list that was empty, match any other type.
    package func differences(to other: JSONShape) -> [String] {
        Set(places.keys).union(other.places.keys).sorted().compactMap { place in
            let name = place.isEmpty ? "the body" : place
            let (before, now) = (places[place], other.places[place])
            switch (before, now) {
            case (let before?, let now?):
                let (kinds, others) = (before.subtracting(["null"]), now.subtracting(["null"]))
                if kinds == others || kinds.isEmpty || others.isEmpty { return nil }
                return "\(name) was \(Self.list(kinds)) and is \(Self.list(others))"
            case (_?, nil): return isOpen(place, other) ? nil : "\(name) is gone"
            case (nil, _?): return other.isOpen(place, self) ? nil : "\(name) is new"
            case (nil, nil): return nil
            }
        }
    }

    /// Returns true if the other shape does not determine a path, because a parent was `null` or empty there.
    private func isOpen(_ place: String, _ other: JSONShape) -> Bool {
        var parent = place[...]
        while let end = parent.lastIndex(where: { $0 == "." || $0 == "[" }) {
            parent = parent[..<end]
            let kinds = other.places[String(parent)]
            if kinds == ["null"] { return true }
            if kinds == ["array"], place.dropFirst(parent.count).hasPrefix("[]") {
                return !other.places.keys.contains { $0.hasPrefix("\(parent)[]") }
            }
        }
        return false
    }

    private mutating func add(_ json: JSON, _ place: String) {
        switch json {
        case .object(let members):
            places[place, default: []].insert("object")
            for (name, value) in members { add(value, place.isEmpty ? name : "\(place).\(name)") }
        case .array(let elements):
            places[place, default: []].insert("array")
            for element in elements { add(element, "\(place)[]") }
        case .string: places[place, default: []].insert("string")
        case .number: places[place, default: []].insert("number")
        case .bool: places[place, default: []].insert("bool")
        case .null: places[place, default: []].insert("null")
        }
    }

    private static func list(_ kinds: Set<String>) -> String { kinds.sorted().joined(separator: " or ") }
}
