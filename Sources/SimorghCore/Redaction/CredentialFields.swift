// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// The header fields of a request that a step attached as credentials, besides those that are known to be.
///
/// No other origin sees them after a redirect. A step adds their names to ``TransportOptions/userInfo``.
package enum CredentialFields: UserInfo.Key {
    package static let defaultValue: Set<HTTPField.Name> = []

    /// The names that stand for a credential whoever set them.
    package static let known: Set<HTTPField.Name> = Set(
        [
            "Authorization", "Proxy-Authorization", "Cookie", "Cookie2", "X-API-Key", "API-Key", "ApiKey",
            "X-Auth-Token",
            "X-Access-Token", "X-Auth-Key", "X-CSRF-Token", "X-XSRF-Token", "X-Amz-Security-Token", "X-Goog-API-Key",
            "X-Vault-Token", "Ocp-Apim-Subscription-Key", "Private-Token", "DPoP",
        ].compactMap { HTTPField.Name($0) })
}

extension TransportRequest {
    /// Notes that a field is a credential, which a redirect takes to no other origin.
    ///
    /// - Parameter name: The field's name.
    package mutating func markCredential(_ name: HTTPField.Name) {
        guard !CredentialFields.known.contains(name) else { return }
        options.userInfo[CredentialFields.self].insert(name)
    }

    /// Drops the credentials that it still has from a request to another origin; those that were set for this one stay.
    ///
    /// - Parameter other: The request.
    package mutating func leaveCredentials(of other: TransportRequest) {
        for name in CredentialFields.known.union(other.options.userInfo[CredentialFields.self])
        where head.headerFields[values: name] == other.head.headerFields[values: name] {
            head.headerFields[name] = nil
        }
        // What names the first host, or proves to it who calls, is not for the next one.
        if head.headerFields[HostField.name] == other.head.headerFields[HostField.name] {
            head.headerFields[HostField.name] = nil
        }
        options.tls = options.tls.forAnotherOrigin
        let items = other.options.userInfo[SecretQueryItems.self]
        guard !items.isEmpty, let path = head.path, let old = other.head.path else { return }
        var target = QueryTarget(path)
        for item in items { target.remove(item, heldBy: QueryTarget(old)) }
        head.path = target.text
    }
}
