// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension JSONPatch {
    /// Creates the patch that changes one document into another.
    ///
    /// Members are compared by name, and elements by position after the equal ones at both ends of an array. The patch
    /// has only `add`, `remove` and `replace`; it is correct, but not always the shortest.
    ///
    /// - Parameters:
    ///   - old: The document to change.
    ///   - new: The wanted document.
    /// - Throws: ``JSONPatchError`` if a document is nested more than 128 levels deep.
    public init(from old: JSON, to new: JSON) throws {
        guard JSONMeasure.fits(old), JSONMeasure.fits(new) else { throw JSONPatchError(.tooDeep) }
        self.init(difference: old, new)
    }

    /// Creates the patch that changes the JSON of one value into that of another.
    ///
    /// - Parameters:
    ///   - old: The value that the server has.
    ///   - new: The wanted value.
    ///   - encoder: The encoder of both. Default: an encoder with default settings.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` if a value cannot be encoded, or ``JSONPatchError``.
    @_disfavoredOverload
    public init(
        from old: some Encodable, to new: some Encodable, encoder: JSONEncoder = JSONEncoder()
    ) throws {
        try self.init(from: try JSON.encoded(old, by: encoder), to: try JSON.encoded(new, by: encoder))
    }

    private init(difference old: JSON, _ new: JSON) {
        self.init()
        add(from: old, to: new, at: .root)
    }

    private mutating func add(from old: JSON, to new: JSON, at pointer: JSONPointer) {
        switch (old, new) {
        case (.object(let before), .object(let after)):
            for name in before.keys.sorted() where after[name] == nil {
                operations.append(.remove(pointer.appending(name)))
            }
            for name in after.keys.sorted() {
                guard let value = after[name] else { continue }
                guard let earlier = before[name] else {
                    operations.append(.add(pointer.appending(name), value))
                    continue
                }
                add(from: earlier, to: value, at: pointer.appending(name))
            }
        case (.array(let before), .array(let after)): add(from: before, to: after, at: pointer)
        default: if old != new { operations.append(.replace(pointer, new)) }
        }
    }

    private mutating func add(from before: [JSON], to after: [JSON], at pointer: JSONPointer) {
        let shorter = min(before.count, after.count)
        var prefix = 0
        while prefix < shorter, before[prefix] == after[prefix] { prefix += 1 }
        var suffix = 0
        while suffix < shorter - prefix, before[before.count - 1 - suffix] == after[after.count - 1 - suffix] {
            suffix += 1
        }
        let (oldEnd, newEnd) = (before.count - suffix, after.count - suffix)
        let common = min(oldEnd, newEnd)
        for index in prefix..<max(prefix, common) {
            add(from: before[index], to: after[index], at: pointer.appending(String(index)))
        }
        // From the end, so that the indexes before it stay the same.
        for index in (common..<max(common, oldEnd)).reversed() {
            operations.append(.remove(pointer.appending(String(index))))
        }
        for index in common..<max(common, newEnd) {
            operations.append(.add(pointer.appending(String(index)), after[index]))
        }
    }
}

extension JSON {
    /// Returns the JSON of a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder.
    /// - Returns: The JSON.
    /// - Throws: ``SimorghCore/InvalidRequestError`` if the value cannot be encoded.
    package static func encoded(_ value: some Encodable, by encoder: JSONEncoder) throws(InvalidRequestError) -> JSON {
        if let value = value as? JSON { return value }
        let data = try RequestBody.json(of: value, with: encoder)
        do {
            return try JSON(parsing: data)
        } catch {
            throw InvalidRequestError(.invalidJSON, message: "the encoded value cannot be read as JSON: \(error)")
        }
    }
}
