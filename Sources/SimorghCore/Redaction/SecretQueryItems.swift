// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// The names of query items that an interceptor attached as credentials.
///
/// Errors, events and histories omit them.
///
/// An interceptor adds them to ``TransportOptions/userInfo``. The request is still sent with them.
package enum SecretQueryItems: UserInfo.Key {
    package static let defaultValue: Set<String> = []
}

extension TransportRequest {
    /// Marks a query item as a credential.
    ///
    /// - Parameter name: The unescaped name of the item.
    package mutating func markSecretQueryItem(_ name: String) {
        options.userInfo[SecretQueryItems.self].insert(name)
    }

    /// The absolute URL without the items that are credentials.
    package var shownURL: String { shown(urlString) }

    /// The head with the URL without the items that are credentials.
    package var shownHead: HTTPRequest {
        guard let path = head.path else { return head }
        var head = head
        head.path = shown(path)
        return head
    }

    /// Returns a URL of this request, or one derived from it by a server, without the items that are credentials.
    ///
    /// - Parameter url: The URL or URL reference.
    /// - Returns: The URL without these items, or unchanged if there are no such items.
    package func shown(_ url: String) -> String {
        guard !options.userInfo.isEmpty else { return url }
        let names = options.userInfo[SecretQueryItems.self]
        guard !names.isEmpty else { return url }
        let end = url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
        var target = QueryTarget(String(url[..<end]))
        for name in names { target.remove(name) }
        return target.text + url[end...]
    }
}
