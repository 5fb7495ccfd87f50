// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// The header fields that an interceptor attached to a request as credentials, besides the known ones.
///
/// They are not sent to another origin after a redirect. An interceptor adds their names to
/// ``TransportOptions/userInfo``.
package enum CredentialFields: UserInfo.Key {
    package static let defaultValue: Set<HTTPField.Name> = []

    /// The names of header fields that are always credentials.
    package static let known: Set<HTTPField.Name> = Set(
        [
            "Authorization", "Proxy-Authorization", "Cookie", "Cookie2", "X-API-Key", "API-Key", "ApiKey",
            "X-Auth-Token",
            "X-Access-Token", "X-Auth-Key", "X-CSRF-Token", "X-XSRF-Token", "X-Amz-Security-Token", "X-Goog-API-Key",
            "X-Vault-Token", "Ocp-Apim-Subscription-Key", "Private-Token", "DPoP", "X-Hasura-Admin-Secret",
            "X-Shopify-Access-Token", "X-Shopify-Storefront-Access-Token",
        ].compactMap { HTTPField.Name($0) })
}

extension TransportRequest {
    /// Marks a field as a credential, so that a redirect does not send it to another origin.
    ///
    /// - Parameter name: The field's name.
    package mutating func markCredential(_ name: HTTPField.Name) {
        guard !CredentialFields.known.contains(name) else { return }
        options.userInfo[CredentialFields.self].insert(name)
    }

    /// Removes the credentials, idempotency keys and conditions that are unchanged from a request to another origin.
    ///
    /// Those set for this one stay.
    ///
    /// - Parameter other: The request to the other origin.
    /// - Throws: ``InvalidRequestError`` if a write would lose its condition.
    package mutating func removeCredentials(of other: TransportRequest) throws(InvalidRequestError) {
        if let name = writeCondition, head.headerFields[values: name] == other.head.headerFields[values: name] {
            throw InvalidRequestError(
                .invalidHeader,
                message: "a retry of a write with \(name.rawName) leads to another origin, where it has no meaning")
        }
        head.headerFields.removeConditions(of: other.head.headerFields)
        for name in CredentialFields.known.union(other.options.userInfo[CredentialFields.self])
            .union(other.idempotencyFields)
        where head.headerFields[values: name] == other.head.headerFields[values: name] {
            head.headerFields[name] = nil
        }
        // The Host field and the client certificate of the first host must not be sent to the next one.
        if head.headerFields[HostField.name] == other.head.headerFields[HostField.name] {
            head.headerFields[HostField.name] = nil
        }
        options.tls = options.tls.forAnotherOrigin
        let items = other.options.userInfo[SecretQueryItems.self]
        guard !items.isEmpty, let path = head.path, let old = other.head.path else { return }
        var target = QueryTarget(path)
        for item in items { target.remove(item, presentIn: QueryTarget(old)) }
        head.path = target.text
    }

    /// The condition without which this write could undo changes that its sender has not seen.
    var writeCondition: HTTPField.Name? {
        guard !RequestMethod(rawValue: head.method.rawValue).isSafe else { return nil }
        // The asterisk means the same at every server.
        return HTTPFields.writeConditions.first {
            head.headerFields.contains($0) && head.headerFields[values: $0] != ["*"]
        }
    }
}

extension HTTPFields {
    /// The conditions of WebDAV (RFC 4918), which name tags and locks.
    private static let webDAVConditions = ["If", "Lock-Token"].compactMap { HTTPField.Name($0) }
    fileprivate static let writeConditions: [HTTPField.Name] =
        [.ifMatch, .ifNoneMatch, .ifUnmodifiedSince] + webDAVConditions

    /// Removes the conditions, or those that are the same in other fields.
    ///
    /// A range is removed with a condition that protects it, because it could be one of another version.
    ///
    /// - Parameters:
    ///   - other: The other fields; `nil` to remove all conditions.
    ///   - keepsAsterisk: True to keep `*`, which names no version.
    mutating func removeConditions(of other: HTTPFields? = nil, keepsAsterisk: Bool = true) {
        for name in CacheValidators.conditions + Self.webDAVConditions where contains(name) {
            let values = self[values: name]
            guard values == (other ?? self)[values: name], !keepsAsterisk || values != ["*"] else { continue }
            self[name] = nil
            if name != .ifNoneMatch, name != .ifModifiedSince { self[.range] = nil }
        }
    }
}
