// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// The names of the query's items that a step attached as credentials: no error, event or history tells them.
///
/// A step adds them to ``TransportOptions/userInfo``; the request is sent with them all the same.
package enum SecretQueryItems: UserInfo.Key {
    package static let defaultValue: Set<String> = []
}

extension TransportRequest {
    /// Notes that an item of the query is a credential.
    ///
    /// - Parameter name: The item's name, not escaped.
    package mutating func markSecretQueryItem(_ name: String) {
        options.userInfo[SecretQueryItems.self].insert(name)
    }

    /// The whole URL without the items that are credentials.
    package var shownURL: String { shown(urlString) }

    /// The head with the URL that may be shown.
    package var shownHead: HTTPRequest {
        guard let path = head.path else { return head }
        var head = head
        head.path = shown(path)
        return head
    }

    /// A URL of this request, or one that a server made of it, without the items that are credentials.
    ///
    /// - Parameter url: The URL, or a reference to one.
    /// - Returns: The same, where there are no such items.
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
