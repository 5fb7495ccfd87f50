// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An error for a patch that cannot be applied to a document; nothing of it is applied.
public struct JSONPatchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of fault.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// There is no value at the pointer.
        case missingValue
        /// The value that should hold the member or the element does not exist, or is neither an object nor an array.
        case missingContainer
        /// The token is no index of an array, or the index is beyond its end.
        case invalidIndex
        /// A `test` found another value.
        case testFailed
        /// A `move` leads into the value that it moves.
        case moveIntoItself
        /// The patch has more operations than ``JSONPatch/Limits/operations``.
        case tooManyOperations
        /// The document would be nested deeper than ``JSONPatch/Limits/depth``.
        case tooDeep
        /// The document or the copied values would be larger than ``JSONPatch/Limits/size``, or the operations would
        /// read, write and move more than sixteen times as much.
        case tooLarge
    }

    /// The index of the operation; `nil` if the fault is of the whole patch or of the document.
    public let index: Int?
    /// The operation; `nil` if the fault is of the whole patch or of the document.
    public let operation: JSONPatch.Operation?
    /// The pointer that could not be followed; for `move` and `copy` it may be that of the source.
    public let pointer: JSONPointer
    /// The kind of fault.
    public let reason: Reason

    init(
        _ reason: Reason, at pointer: JSONPointer = .root, index: Int? = nil, operation: JSONPatch.Operation? = nil
    ) {
        self.index = index
        self.operation = operation
        self.pointer = pointer
        self.reason = reason
    }

    /// A message with the operation, the pointer and the fault, and without any value.
    public var description: String {
        let fault =
            switch reason {
            case .missingValue: "there is no value"
            case .missingContainer: "there is no object or array that could hold the value"
            case .invalidIndex: "the array has no such index"
            case .testFailed: "the value is another one"
            case .moveIntoItself: "a value cannot be moved into itself"
            case .tooManyOperations: "the patch has more operations than its limit"
            case .tooDeep: "the document would be nested deeper than the limit"
            case .tooLarge:
                "the document, or the values that are copied, would be larger than the limit, or the work too long"
            }
        guard let index, let operation else { return "the JSON Patch cannot be applied: \(fault)" }
        return "operation \(index) of the JSON Patch (\(operation.name)) failed at \"\(pointer)\": \(fault)"
    }
}

extension JSONPatchError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension JSONPointerError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
