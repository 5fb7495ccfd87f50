// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// A partial JSON document that is merged into another (JSON Merge Patch, RFC 7396).
///
/// ```swift
/// let patch = try MergePatch(from: old, to: new)
/// try await client.patch("users/7", body: .mergePatch(patch))
/// ```
/// A member that is `null` removes the member of the document, so such a patch cannot set a member to `null`. Arrays are
/// replaced as a whole.
public struct MergePatch: Sendable, Hashable {
    /// The partial document.
    public let json: JSON

    /// Creates a patch from a partial document.
    ///
    /// - Parameter json: The partial document.
    public init(_ json: JSON) { self.json = json }

    /// Creates the patch that changes one document into another.
    ///
    /// - Parameters:
    ///   - old: The document to change.
    ///   - new: The wanted document.
    /// - Throws: ``MergePatchError`` if the wanted document has a member that is `null` and that the old one lacks, which
    ///   a merge patch cannot express, or if a document is nested more than 128 levels deep.
    public init(from old: JSON, to new: JSON) throws {
        guard JSONMeasure.fits(old), JSONMeasure.fits(new) else { throw MergePatchError.tooDeep }
        json = try Self.difference(old, new, at: .root)
    }

    /// Creates the patch that changes the JSON of one value into that of another.
    ///
    /// - Parameters:
    ///   - old: The value that the server has.
    ///   - new: The wanted value. A property that became `nil`, and that its encoding leaves out, is removed.
    ///   - encoder: The encoder of both. Default: an encoder with default settings.
    /// - Throws: ``MergePatchError``, or ``/SimorghCore/InvalidRequestError`` if a value cannot be encoded.
    @_disfavoredOverload
    public init(
        from old: some Encodable, to new: some Encodable, encoder: JSONEncoder = JSONEncoder()
    ) throws {
        try self.init(from: try JSON.encoded(old, by: encoder), to: try JSON.encoded(new, by: encoder))
    }

    /// A Boolean value that indicates whether the patch changes no object.
    public var isEmpty: Bool { json == .object([:]) }

    /// Returns a document with the changes of the patch.
    ///
    /// - Parameter document: The document.
    /// - Returns: The changed document.
    /// - Throws: ``MergePatchError`` if the patch is nested more than 128 levels deep.
    public func applied(to document: JSON) throws -> JSON {
        guard JSONMeasure.fits(json) else { throw MergePatchError.tooDeep }
        return Self.merge(json, into: document)
    }

    /// Merges by the algorithm of RFC 7396, section 2; `nil` stands for no document.
    private static func merge(_ patch: JSON, into target: JSON?) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members: [String: JSON] = [:]
        if case .object(let known)? = target { members = known }
        for (name, value) in changes {
            // In a conditional expression, `nil` would be the value null of JSON.
            if value.isNull {
                members.removeValue(forKey: name)
            } else {
                members[name] = merge(value, into: members[name])
            }
        }
        return .object(members)
    }

    private static func difference(
        _ old: JSON?, _ new: JSON, at pointer: JSONPointer
    ) throws(MergePatchError) -> JSON {
        guard case .object(let after) = new else { return new }
        var before: [String: JSON] = [:]
        if case .object(let known)? = old { before = known }
        var changes: [String: JSON] = [:]
        for name in before.keys where after[name] == nil { changes[name] = .null }
        for (name, value) in after where before[name] != value {
            guard !value.isNull else { throw .nullMember(pointer.appending(name)) }
            changes[name] = try difference(before[name], value, at: pointer.appending(name))
        }
        return .object(changes)
    }
}

extension MergePatch: Codable {
    /// Decodes a patch from any JSON.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws { json = try JSON(from: decoder) }

    /// Encodes the partial document.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` for a value that JSON cannot represent, or that is too deep.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// An error for a change that a merge patch cannot express.
@nonexhaustive
public enum MergePatchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The wanted document has a member that is `null`, which a merge patch would remove; use a ``JSONPatch``.
    case nullMember(JSONPointer)
    /// A document or the patch is nested more than 128 levels deep.
    case tooDeep

    /// A message that describes the error.
    public var description: String {
        switch self {
        case .nullMember(let pointer):
            "the member \"\(pointer)\" should become null, which a merge patch would remove: use a JSON Patch"
        case .tooDeep: "the JSON is nested more than \(JSONMeasure.maximumDepth) levels deep"
        }
    }
}

extension MergePatchError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
