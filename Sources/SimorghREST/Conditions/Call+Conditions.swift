// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore

extension Call {
    /// Returns the same call with the condition that the resource still has an entity tag.
    ///
    /// ```swift
    /// let read = try await client.call(.get, "users/7").decoding(.decodable(User.self)).response()
    /// if let tag = read.response.entityTag {
    ///     try await client.call(.put, "users/7", body: .json(user)).ifMatch(tag).void()
    /// }
    /// ```
    /// If the resource has changed, the call throws an error with ``SimorghCore/NetworkError/preconditionError``. If a
    /// redirect leads to another origin, it throws ``EntityTagError`` as the cause. A retry may meet the change that an
    /// earlier attempt made, whose response was lost: its 412 then does not mean that another client made a change.
    ///
    /// - Parameter tag: The tag. A weak one cannot be compared here (RFC 9110, section 13.1.1): the call throws
    ///   ``/SimorghCore/NetworkError/invalidRequest(_:_:)``.
    /// - Returns: The call.
    public func ifMatch(_ tag: EntityTag) -> Call {
        conditional("If-Match", value: tag.description, isWeak: tag.isWeak)
    }

    /// Returns the same call with the condition that the resource exists: `If-Match: *`.
    ///
    /// - Returns: The call.
    public func ifExists() -> Call { conditional("If-Match", value: "*") }

    /// Returns the same call with the condition that the resource does not exist: `If-None-Match: *`.
    ///
    /// A `PUT` then only creates the resource.
    ///
    /// - Returns: The call.
    public func ifNew() -> Call { conditional("If-None-Match", value: "*") }

    private func conditional(_ name: String, value: String, isWeak: Bool = false) -> Call {
        var call = conditionGuarded()
        let describe = describe
        call.describe = { settings throws(InvalidRequestError) in
            guard !isWeak else {
                throw InvalidRequestError(
                    .invalidHeader,
                    message:
                        "the entity tag \(value) is weak, and \(name) needs a strong one (RFC 9110, section 13.1.1)")
            }
            var description = try describe(settings)
            for known in description.headers.keys where known.lowercased() == name.lowercased() {
                description.headers[known] = nil
            }
            description.headers[name] = value
            return description
        }
        return call
    }

    /// Returns the same call with the steps that keep its condition on its origin.
    func conditionGuarded() -> Call {
        with { configuration in
            configuration.interceptors.append(WriteCondition.note)
            // Outermost, so that a step that signs requests sees the fields as they are sent.
            configuration.networkInterceptors.insert(WriteCondition.guardOrigin, at: 0)
        }
    }
}
