// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
package import HTTPTypes
import SimorghSupport

/// The request fields that select a response (RFC 9111, section 4.1).
package enum CacheVary {
    /// Returns the selecting fields of a request, for a response that is to be stored.
    ///
    /// - Parameters:
    ///   - response: The fields of the response.
    ///   - control: The directives of the response.
    ///   - request: The fields of the request as sent.
    /// - Returns: The selectors; `nil` if no other request can match.
    package static func selectors(
        for response: HTTPFields, control: CacheControl, request: HTTPFields
    ) -> [StoredResponse.Selector]? {
        var names: [HTTPField.Name] = []
        if response.contains(.vary) {
            let members = FieldList.members(.vary, of: response)
            // An excessive number of names would have to be compared with each request.
            guard members.count <= maximumNames, !members.contains("*") else { return nil }
            for member in members {
                // An invalid name cannot be compared, so no request matches.
                guard let name = HTTPField.Name(member) else { return nil }
                if !names.contains(name) { names.append(name) }
            }
        }
        // Cookies identify users. A private response, or one that sets a cookie, is only for requests with the same
        // cookies, and so is a response to a request with cookies, unless it is `public`.
        let isForOneUser =
            control.isPrivate || response.contains(.setCookie) || (request.contains(.cookie) && !control.isPublic)
        if isForOneUser, !names.contains(.cookie) { names.append(.cookie) }
        return names.map { StoredResponse.Selector(name: $0, value: value($0, of: request)) }
    }

    /// The maximum number of selecting fields; a response with more answers no other request.
    private static let maximumNames = 64

    /// Returns true if a request matches the selectors of a stored response.
    package static func matches(_ selectors: [StoredResponse.Selector], request: HTTPFields) -> Bool {
        selectors.allSatisfy { $0.value == value($0.name, of: request) }
    }

    /// Returns the stored form of a field; of a credential only a hash, since it is written to the disk.
    package static func value(_ name: HTTPField.Name, of request: HTTPFields) -> String? {
        guard var value = normalized(name, of: request) else { return nil }
        if value.unicodeScalars.contains("\u{FFFD}") {
            value += request[fields: name].map(\.exactText).joined(separator: "\n")
        }
        guard CredentialFields.known.contains(name) else { return value }
        return hashed(value)
    }

    /// Returns a hash that is stored instead of a secret.
    package static func hashed(_ secret: String) -> String {
        var hash = SHA256()
        hash.update(data: Array("simorgh-selector:\(secret)".utf8))
        return Hex.encoded(hash.finalize().prefix(16))
    }

    /// Fields whose members are case-insensitive.
    private static let caseless: Set<HTTPField.Name> = [.acceptLanguage, .acceptEncoding, .known("Accept-Charset")]

    /// Returns the value of a field in a normalized form: lines joined, without spaces around commas.
    ///
    /// The order of members is kept, since servers take it as a preference.
    package static func normalized(_ name: HTTPField.Name, of request: HTTPFields) -> String? {
        guard request.contains(name) else { return nil }
        let value = FieldList.members(name, of: request).joined(separator: ",")
        return caseless.contains(name) ? value.lowercased() : value
    }
}
