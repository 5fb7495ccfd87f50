// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension JSONPatch {
    /// Returns a document with all changes of the patch.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - limits: The bounds on the work and on the result.
    /// - Returns: The changed document.
    /// - Throws: ``JSONPatchError`` with the first operation that fails.
    public func applied(to document: JSON, limits: Limits = Limits()) throws -> JSON {
        try result(on: document, limits: limits)
    }

    /// Does the same as ``applied(to:limits:)``, with a typed error.
    package func result(on document: JSON, limits: Limits = Limits()) throws(JSONPatchError) -> JSON {
        guard operations.count <= limits.operations else { throw JSONPatchError(.tooManyOperations) }
        var application: JSONPatchApplication
        do throws(JSONPatchFault) {
            application = try JSONPatchApplication(document, limits: limits)
        } catch {
            throw JSONPatchError(error.reason, at: error.pointer)
        }
        for (index, operation) in operations.enumerated() {
            do throws(JSONPatchFault) {
                try application.apply(operation)
            } catch {
                throw JSONPatchError(error.reason, at: error.pointer, index: index, operation: operation)
            }
        }
        return application.document
    }
}

/// The part of an error that does not depend on the operation.
private struct JSONPatchFault: Error {
    let reason: JSONPatchError.Reason
    let pointer: JSONPointer
}

/// A document while operations change it, with its size.
private struct JSONPatchApplication {
    private(set) var document: JSON
    private let depth: Int
    private let limit: Int
    private var size: Int
    private var copied = 0
    private var work: Int

    init(_ document: JSON, limits: JSONPatch.Limits) throws(JSONPatchFault) {
        self.document = document
        depth = min(limits.depth, JSONMeasure.maximumDepth)
        limit = limits.size
        work = limits.size.multipliedReportingOverflow(by: 16).overflow ? Int.max : limits.size * 16
        size = 0
        size = try measure(document, at: .root, below: 0)
    }

    mutating func apply(_ operation: JSONPatch.Operation) throws(JSONPatchFault) {
        switch operation {
        case .add(let pointer, let value):
            try add(value, at: pointer, size: try measure(value, at: pointer, below: pointer.tokens.count))
        case .remove(let pointer): _ = try remove(at: pointer)
        case .replace(let pointer, let value):
            let added = try measure(value, at: pointer, below: pointer.tokens.count)
            let old = try existing(pointer)
            size += added - (try measure(old, at: pointer, below: 0))
            guard size <= limit else { throw JSONPatchFault(reason: .tooLarge, pointer: pointer) }
            guard let last = pointer.tokens.last else {
                document = value
                return
            }
            try change(parentOf: pointer) { (parent) throws(JSONPatchError.Reason) in
                try parent.replace(last, with: value)
            }
        case .move(let from, let to):
            guard !from.isProperPrefix(of: to) else { throw JSONPatchFault(reason: .moveIntoItself, pointer: to) }
            guard from != to else {
                _ = try existing(from)
                return
            }
            let value = try remove(at: from)
            try add(value, at: to, size: try measure(value, at: to, below: to.tokens.count))
        case .copy(let from, let to):
            let value = try existing(from)
            let size = try measure(value, at: to, below: to.tokens.count)
            copied += size
            guard copied <= limit else { throw JSONPatchFault(reason: .tooLarge, pointer: to) }
            try add(value, at: to, size: size)
        case .test(let pointer, let value):
            let found = try existing(pointer)
            // Counted, because a comparison takes as long as the smaller value is large.
            _ = try measure(value, at: pointer, below: 0)
            guard found == value else { throw JSONPatchFault(reason: .testFailed, pointer: pointer) }
        }
    }

    private func existing(_ pointer: JSONPointer) throws(JSONPatchFault) -> JSON {
        guard let value = document[at: pointer] else { throw JSONPatchFault(reason: .missingValue, pointer: pointer) }
        return value
    }

    private mutating func add(_ value: JSON, at pointer: JSONPointer, size added: Int) throws(JSONPatchFault) {
        var replaced = 0
        if let last = pointer.tokens.last {
            var old: JSON?
            var left = work
            try change(parentOf: pointer) { (parent) throws(JSONPatchError.Reason) in
                old = try parent.add(value, at: last, work: &left)
            }
            work = left
            size += last.utf8.count
            if let old { replaced = try measure(old, at: pointer, below: 0) + last.utf8.count }
        } else {
            replaced = size
            document = value
        }
        size += added - replaced
        guard size <= limit else { throw JSONPatchFault(reason: .tooLarge, pointer: pointer) }
    }

    private mutating func remove(at pointer: JSONPointer) throws(JSONPatchFault) -> JSON {
        guard let last = pointer.tokens.last else {
            // A document without a value does not exist; libraries agree on null.
            defer { (document, size) = (.null, JSONMeasure.nodeSize) }
            return document
        }
        var old = JSON.null
        var left = work
        try change(parentOf: pointer) { (parent) throws(JSONPatchError.Reason) in
            old = try parent.remove(last, work: &left)
        }
        work = left
        size -= try measure(old, at: pointer, below: 0) + last.utf8.count
        return old
    }

    private mutating func change(
        parentOf pointer: JSONPointer, _ body: (inout JSON) throws(JSONPatchError.Reason) -> Void
    ) throws(JSONPatchFault) {
        do throws(JSONPatchError.Reason) {
            try document.change(pointer.tokens.dropLast(), body)
        } catch {
            throw JSONPatchFault(reason: error, pointer: pointer)
        }
    }

    /// Returns the size of a value, and counts the work.
    private mutating func measure(
        _ value: JSON, at pointer: JSONPointer, below levels: Int
    ) throws(JSONPatchFault) -> Int {
        var measure = JSONMeasure(depth: depth - levels, size: min(work, limit))
        switch measure.add(value, level: 0) {
        case .fits: break
        case .tooDeep: throw JSONPatchFault(reason: .tooDeep, pointer: pointer)
        case .tooLarge: throw JSONPatchFault(reason: .tooLarge, pointer: pointer)
        }
        work -= measure.size
        return measure.size
    }
}

extension JSONPatchError.Reason: Error {}

extension JSON {
    /// Changes the value that the tokens lead to.
    ///
    /// If the closure throws, the value is left without the parts on the way: the caller discards it.
    fileprivate mutating func change(
        _ tokens: ArraySlice<String>, _ body: (inout JSON) throws(JSONPatchError.Reason) -> Void
    ) throws(JSONPatchError.Reason) {
        guard let token = tokens.first else { return try body(&self) }
        switch self {
        case .object(var members):
            guard var member = members[token] else { throw .missingContainer }
            // Released, so that neither the members nor the value are copied.
            self = .null
            members[token] = .null
            try member.change(tokens.dropFirst(), body)
            members[token] = member
            self = .object(members)
        case .array(var elements):
            guard let index = JSONPointer.index(token), elements.indices.contains(index) else {
                throw .missingContainer
            }
            self = .null
            try elements[index].change(tokens.dropFirst(), body)
            self = .array(elements)
        case .null, .bool, .number, .string: throw .missingContainer
        }
    }

    /// Adds a member or an element, and returns the member that it replaces.
    fileprivate mutating func add(
        _ value: JSON, at token: String, work: inout Int
    ) throws(JSONPatchError.Reason) -> JSON? {
        switch self {
        case .object(var members):
            self = .null
            let old = members.updateValue(value, forKey: token)
            self = .object(members)
            return old
        case .array(var elements):
            guard let index = token == "-" ? elements.count : JSONPointer.index(token), index <= elements.count else {
                throw .invalidIndex
            }
            try JSONMeasure.move(elements.count - index, work: &work)
            self = .null
            elements.insert(value, at: index)
            self = .array(elements)
            return nil
        case .null, .bool, .number, .string: throw .missingContainer
        }
    }

    /// Replaces a member or an element that exists.
    fileprivate mutating func replace(_ token: String, with value: JSON) throws(JSONPatchError.Reason) {
        guard case .array(var elements) = self else {
            // A member moves no others.
            var work = 0
            _ = try add(value, at: token, work: &work)
            return
        }
        guard let index = JSONPointer.index(token), elements.indices.contains(index) else { throw .invalidIndex }
        self = .null
        elements[index] = value
        self = .array(elements)
    }

    fileprivate mutating func remove(_ token: String, work: inout Int) throws(JSONPatchError.Reason) -> JSON {
        switch self {
        case .object(var members):
            self = .null
            guard let old = members.removeValue(forKey: token) else { throw .missingValue }
            self = .object(members)
            return old
        case .array(var elements):
            guard let index = JSONPointer.index(token), elements.indices.contains(index) else { throw .invalidIndex }
            try JSONMeasure.move(elements.count - 1 - index, work: &work)
            self = .null
            let old = elements.remove(at: index)
            self = .array(elements)
            return old
        case .null, .bool, .number, .string: throw .missingContainer
        }
    }
}
