// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
package import HTTPTypes
import SimorghSupport

/// The rule that separates the stored responses of different users.
///
/// A response to one user never answers another. By default the credentials of a request identify the user, so a
/// renewed token starts with an empty cache. If the program knows the user, it can name the partition.
public enum CachePartition: Sendable, Hashable {
    /// A partition per credentials of a request (`Authorization` and similar), and one for requests without
    /// credentials.
    case credentials
    /// A named partition, for example with the user's name.
    case named(String)

    /// The fields that identify a user; cookies separate users in another way, see ``HTTPCache``.
    private static let fields = CredentialFields.known.subtracting(
        ["Cookie", "Cookie2", "X-CSRF-Token", "X-XSRF-Token", "Proxy-Authorization"].map { HTTPField.Name.known($0) })

    /// Returns true if a request was sent with the credentials that the cache saw.
    ///
    /// - Parameters:
    ///   - request: The request, before further steps may add credentials.
    ///   - sent: The header fields as sent; `nil` if unknown.
    /// - Returns: True if the response belongs to the partition of the request.
    package func knows(_ request: TransportRequest, as sent: HTTPFields?) -> Bool {
        guard case .credentials = self else { return true }
        guard let sent else { return false }
        var other = request
        other.head.headerFields = sent
        return text(for: other) == text(for: request)
    }

    /// Returns the string that identifies the partition in keys.
    package func text(for request: TransportRequest) -> String { text(for: request, with: request.head.headerFields) }

    /// Returns the string for a request with other header fields.
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
