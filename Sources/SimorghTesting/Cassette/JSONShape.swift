// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// The types of the values in JSON by path, without the values: the part that a client's models depend on.
package struct JSONShape: Sendable, Equatable {
    /// The types found at each path, such as `users[].name`.
    package private(set) var kindsByPath: [String: Set<String>] = [:]

    package init(_ json: JSON) { add(json, at: "") }

    /// Returns the differences between two shapes, one line each, sorted by path.
    ///
    /// A value that is sometimes `null`, and a list that was empty, match any other type.
    package func differences(to other: JSONShape) -> [String] {
        Set(kindsByPath.keys).union(other.kindsByPath.keys).sorted().compactMap { path in
            let name = path.isEmpty ? "the body" : path
            let (before, now) = (kindsByPath[path], other.kindsByPath[path])
            switch (before, now) {
            case (let before?, let now?):
                let (kinds, others) = (before.subtracting(["null"]), now.subtracting(["null"]))
                if kinds == others || kinds.isEmpty || others.isEmpty { return nil }
                return "\(name) was \(Self.list(kinds)) and is \(Self.list(others))"
            case (_?, nil): return isOpen(path, in: other) ? nil : "\(name) is gone"
            case (nil, _?): return other.isOpen(path, in: self) ? nil : "\(name) is new"
            case (nil, nil): return nil
            }
        }
    }

    /// Returns true if the other shape does not determine a path, because a parent was `null` or empty there.
    private func isOpen(_ path: String, in other: JSONShape) -> Bool {
        var parent = path[...]
        while let end = parent.lastIndex(where: { $0 == "." || $0 == "[" }) {
            parent = parent[..<end]
            let kinds = other.kindsByPath[String(parent)]
            if kinds == ["null"] { return true }
            if kinds == ["array"], path.dropFirst(parent.count).hasPrefix("[]") {
                return !other.kindsByPath.keys.contains { $0.hasPrefix("\(parent)[]") }
            }
        }
        return false
    }

    private mutating func add(_ json: JSON, at path: String) {
        switch json {
        case .object(let members):
            kindsByPath[path, default: []].insert("object")
            for (name, value) in members { add(value, at: path.isEmpty ? name : "\(path).\(name)") }
        case .array(let elements):
            kindsByPath[path, default: []].insert("array")
            for element in elements { add(element, at: "\(path)[]") }
        case .string: kindsByPath[path, default: []].insert("string")
        case .number: kindsByPath[path, default: []].insert("number")
        case .bool: kindsByPath[path, default: []].insert("bool")
        case .null: kindsByPath[path, default: []].insert("null")
        }
    }

    private static func list(_ kinds: Set<String>) -> String { kinds.sorted().joined(separator: " or ") }
}
