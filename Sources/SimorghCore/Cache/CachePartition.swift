// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
package import HTTPTypes
import SimorghSupport

/// Whose responses a cache gives to whom.
///
/// A response to one user never answers another. Who the user is, the credentials of a request tell: which means that a token
/// that is renewed begins anew. Where the program knows better, it names its user.
public enum CachePartition: Sendable, Hashable {
    /// The one of the credentials that a request carries (`Authorization` and its like); one of its own for those without.
    case credentials
    /// The one of this name: a user's, say.
    case named(String)

    /// The fields that count; cookies tell users apart in another way, see ``HTTPCache``.
    private static let fields = CredentialFields.known.subtracting(
        ["Cookie", "Cookie2", "X-CSRF-Token", "X-XSRF-Token", "Proxy-Authorization"].map { HTTPField.Name.known($0) })

    /// Whether a request was sent with the credentials that it had before.
    ///
    /// - Parameters:
    ///   - request: The request, before steps that may add some.
    ///   - sent: Its fields as they were sent; `nil` where nobody knows.
    /// - Returns: Whether it is known whose the answer is.
    package func knows(_ request: TransportRequest, as sent: HTTPFields?) -> Bool {
        guard case .credentials = self else { return true }
        guard let sent else { return false }
        var other = request
        other.head.headerFields = sent
        return text(for: other) == text(for: request)
    }

    /// The text that stands for the partition in keys.
    package func text(for request: TransportRequest) -> String { text(for: request, with: request.head.headerFields) }

    /// The text for a request with other fields.
    func text(for request: TransportRequest, with fields: HTTPFields) -> String {
        switch self {
        case .named(let name): return "n:" + name
        case .credentials:
            let marked = request.options.userInfo[CredentialFields.self]
            var found: [HTTPField] = []
            for field in fields
            where Self.fields.contains(field.name) || marked.contains(field.name) {
                found.append(field)
            }
            guard !found.isEmpty else { return "" }
            var hash = SHA256()
            for part in found.map({ "\($0.name.canonicalName)=\($0.exactText)" }).sorted() {
                withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { hash.update(bufferPointer: $0) }
                hash.update(data: Array(part.utf8))
            }
            return "c:" + Hex.encoded(hash.finalize().prefix(16))
        }
    }
}
