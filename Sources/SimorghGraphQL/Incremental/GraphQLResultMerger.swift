// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
package import SimorghRealtime
import SimorghSupport

/// The result of an incremental response so far: the initial data, with all patches merged into it.
///
/// Understands both forms of patches: with `pending`, `incremental` and `completed`, and the older one with a path in
/// each patch.
package struct GraphQLResultMerger: Sendable {
    /// The longest path of a patch.
    package static let maximumDepth = 128
    /// The greatest depth of the merged data, with which it can be written as a member of an object.
    package static let maximumDataDepth = 126

    /// The merged data.
    package private(set) var data: JSON = .null
    /// The errors of all payloads in order.
    package private(set) var errors: [GraphQLErrors.Fault] = []
    /// The extensions of all payloads; of two members with the same name the later remains.
    package private(set) var extensions: JSON = .null
    /// True if the server sends further payloads.
    package private(set) var hasNext = true
    private var hasStarted = false
    private var patchCount = 0
    private let maximumPatches: Int
    /// The paths of the announced parts by their identifiers.
    private var pending: [String: [JSON]] = [:]

    package init(maximumPatches: Int) { self.maximumPatches = maximumPatches }

    /// Merges the next payload.
    ///
    /// - Parameter payload: The payload.
    /// - Throws: ``GraphQLProtocolError``, after which the result is no longer usable.
    package mutating func apply(_ payload: JSON) throws(GraphQLProtocolError) {
        try count()
        guard case .object(let members) = payload else { throw Self.invalid("a payload is not an object") }
        let isFirst = !hasStarted
        hasStarted = true
        if isFirst {
            guard !payload["data"].isNull || !payload["errors"].isNull && payload["errors"] != [] else {
                throw GraphQLProtocolError(.notAResponse, "the first payload has neither data nor errors")
            }
            data = payload["data"]
            try add(errorsOf: payload)
        } else if members["path"] != nil {
            try apply(patch: payload)
        } else {
            guard members["data"] == nil else { throw Self.invalid("data has no path") }
            try add(errorsOf: payload)
        }
        for announced in try list(payload["pending"], "pending") {
            try count()
            guard let id = announced["id"].string else { throw Self.invalid("an announced part has no id") }
            let path = try Self.path(announced["path"])
            guard pending.updateValue(path, forKey: id) == nil else {
                throw Self.invalid("two announced parts have the same id")
            }
        }
        for patch in try list(payload["incremental"], "incremental") { try apply(patch: patch) }
        for completed in try list(payload["completed"], "completed") {
            try count()
            guard let id = completed["id"].string, pending.removeValue(forKey: id) != nil else {
                throw Self.invalid("a completed part was not announced")
            }
            try add(errorsOf: completed)
        }
        if case .object(let added) = payload["extensions"] {
            var merged = extensions.object ?? [:]
            // The only reference to the members, so that merging copies none of them.
            extensions = .null
            merged.merge(added) { _, later in later }
            extensions = .object(merged)
        }
        // A later payload without the member, such as an empty object, only keeps the connection alive.
        hasNext = payload["hasNext"].bool ?? (isFirst ? false : hasNext)
        guard hasNext || pending.isEmpty else {
            throw GraphQLProtocolError(.truncated, "the response ended before the parts that it announced")
        }
    }

    private mutating func apply(patch: JSON) throws(GraphQLProtocolError) {
        try count()
        try add(errorsOf: patch)
        let path: [JSON]
        if let id = patch["id"].string {
            guard let announced = pending[id] else { throw Self.invalid("a patch belongs to no announced part") }
            path = announced + (try Self.path(patch["subPath"]))
        } else {
            path = try Self.path(patch["path"])
        }
        guard path.count <= Self.maximumDepth else { throw Self.invalid("a path is too long") }
        try checkDepth(of: patch, at: path.count)
        if case .array(let items) = patch["items"] {
            // The older form names the index of the first item.
            if let start = path.last?.int, patch["id"].isNull {
                try data.change(at: path.dropLast()) { list throws(GraphQLProtocolError) in
                    guard case .array(var elements) = list, start <= elements.count else {
                        throw Self.invalid("the list of a patch has no index \(start)")
                    }
                    list = .null
                    let replaced = start..<(start + min(items.count, elements.count - start))
                    elements.replaceSubrange(replaced, with: items)
                    list = .array(elements)
                }
            } else {
                try data.change(at: path[...]) { list throws(GraphQLProtocolError) in
                    guard case .array(var elements) = list else { throw Self.invalid("a list of a patch is missing") }
                    list = .null
                    elements += items
                    list = .array(elements)
                }
            }
        } else if !patch["data"].isNull {
            let part = patch["data"]
            try data.change(at: path[...]) { $0.merge(part) }
        } else if case .object(let members) = patch, members["data"] != nil, path.last?.int != nil, patch["id"].isNull {
            // The older form sends an item as data. A null one only extends the list, and replaces no element.
            try data.change(at: path[...]) { _ in }
        }
    }

    /// Throws if the data would be too deep to be written with a patch.
    private func checkDepth(of patch: JSON, at depth: Int) throws(GraphQLProtocolError) {
        // At the top the data is less deep than the payload, which was read.
        guard depth > 0 else { return }
        let added = max(patch["data"].depth, patch["items"].depth)
        guard depth + added <= Self.maximumDataDepth else {
            throw GraphQLProtocolError(
                .limitExceeded, "the merged data is nested more than \(Self.maximumDataDepth) levels deep")
        }
    }

    private mutating func count() throws(GraphQLProtocolError) {
        patchCount += 1
        guard patchCount <= maximumPatches else {
            throw GraphQLProtocolError(
                .limitExceeded, "the response has more than \(maximumPatches) parts, patches and errors")
        }
    }

    private mutating func add(errorsOf payload: JSON) throws(GraphQLProtocolError) {
        for error in try list(payload["errors"], "errors") {
            try count()
            guard let fault = GraphQLErrors.Fault(error) else { throw Self.invalid("an error has no message") }
            errors.append(fault)
        }
    }

    private func list(_ value: JSON, _ name: String) throws(GraphQLProtocolError) -> [JSON] {
        switch value {
        case .null: return []
        case .array(let elements): return elements
        default: throw Self.invalid("“\(name)” is not a list")
        }
    }

    private static func path(_ value: JSON) throws(GraphQLProtocolError) -> [JSON] {
        switch value {
        case .null: return []
        case .array(let components):
            guard components.allSatisfy({ $0.string != nil || ($0.int ?? -1) >= 0 }) else {
                throw invalid("a path has a component that is neither a name nor an index")
            }
            return components
        default: throw invalid("a path is not a list")
        }
    }

    fileprivate static func invalid(_ message: String) -> GraphQLProtocolError {
        GraphQLProtocolError(.invalidPatch, "the incremental response is invalid: \(message)")
    }
}

extension GraphQLErrors.Fault {
    /// Creates an error from its JSON; `nil` if it has no message.
    fileprivate init?(_ json: JSON) {
        guard json["message"].string != nil, let data = try? json.data(),
            let fault = try? Coders.decoder.decode(Self.self, from: data)
        else { return nil }
        self = fault
    }
}

extension JSON {
    /// The number of arrays and objects around the innermost value.
    ///
    /// Recursive: parsed JSON is at most 128 levels deep.
    fileprivate var depth: Int {
        switch self {
        case .object(let members): 1 + (members.values.lazy.map(\.depth).max() ?? 0)
        case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
        default: 0
        }
    }

    /// Changes the value at a path in place; an index may be one beyond the end of its list.
    fileprivate mutating func change(
        at path: ArraySlice<JSON>, _ change: (inout JSON) throws(GraphQLProtocolError) -> Void
    ) throws(GraphQLProtocolError) {
        guard let first = path.first else { return try change(&self) }
        // The only reference to the elements, so that a change copies none of them.
        switch self {
        case .object(var members):
            self = .null
            guard let name = first.string, var member = members[name] else { throw missing(first) }
            members[name] = .null
            try member.change(at: path.dropFirst(), change)
            members[name] = member
            self = .object(members)
        case .array(var elements):
            self = .null
            guard let index = first.int, (0...elements.count).contains(index) else { throw missing(first) }
            if index == elements.count { elements.append(.null) }
            var element = elements[index]
            elements[index] = .null
            try element.change(at: path.dropFirst(), change)
            elements[index] = element
            self = .array(elements)
        default: throw missing(first)
        }
    }

    private func missing(_ component: JSON) -> GraphQLProtocolError {
        GraphQLResultMerger.invalid("the path of a patch has no value at \(component)")
    }

    /// Merges another value into this one: objects by their members, lists of the same length by their elements.
    fileprivate mutating func merge(_ other: JSON) {
        switch (self, other) {
        case (.object(var members), .object(let added)):
            self = .null
            for (name, value) in added {
                var member = members[name] ?? .null
                members[name] = .null
                member.merge(value)
                members[name] = member
            }
            self = .object(members)
        case (.array(var elements), .array(let added)) where elements.count == added.count:
            self = .null
            for (index, value) in added.enumerated() {
                var element = elements[index]
                elements[index] = .null
                element.merge(value)
                elements[index] = element
            }
            self = .array(elements)
        default: self = other
        }
    }
}
