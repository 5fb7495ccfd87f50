// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
package import HTTPTypes
import SimorghSupport

/// By which fields of the request a response was chosen (RFC 9111, section 4.1).
package enum CacheVary {
    /// What is noted of a request for a response that is to be stored.
    ///
    /// - Parameters:
    ///   - response: The fields of the response.
    ///   - control: What the response says of caching.
    ///   - request: The fields of the request, as it was sent.
    /// - Returns: What it was chosen by; `nil` where no other request can match it.
    package static func selectors(
        _ response: HTTPFields, _ control: CacheControl, request: HTTPFields
    ) -> [StoredResponse.Selector]? {
        var names: [HTTPField.Name] = []
        if response.has(.vary) {
            let members = FieldList.members(.vary, of: response)
            // More than anybody means would have to be compared with each request again.
            guard members.count <= mostNames, !members.contains("*") else { return nil }
            for member in members {
                // What is no field's name cannot be compared, so nothing can match.
                guard let name = HTTPField.Name(member) else { return nil }
                if !names.contains(name) { names.append(name) }
            }
        }
        // Cookies tell users apart. A response that is for one of them, or gives one a cookie, is for nobody with others; and
        // neither is the answer to somebody with cookies, unless it says that it is for all.
        let isForOne = control.isPrivate || response.has(.setCookie) || (request.has(.cookie) && !control.isPublic)
        if isForOne, !names.contains(.cookie) { names.append(.cookie) }
        return names.map { StoredResponse.Selector(name: $0, value: value($0, of: request)) }
    }

    /// A response that varies by more fields than this is for no other request.
    private static let mostNames = 64

    /// Whether a request gets the same response as the one that the selectors were noted of.
    package static func matches(_ selectors: [StoredResponse.Selector], request: HTTPFields) -> Bool {
        selectors.allSatisfy { $0.value == value($0.name, of: request) }
    }

    /// What is noted of a field: of a credential only a hash, since it is written down.
    package static func value(_ name: HTTPField.Name, of request: HTTPFields) -> String? {
        guard var value = normalized(name, of: request) else { return nil }
        if value.unicodeScalars.contains("\u{FFFD}") {
            value += request[fields: name].map(\.exactText).joined(separator: "\n")
        }
        guard CredentialFields.known.contains(name) else { return value }
        return hashed(value)
    }

    /// What is written down instead of a secret.
    package static func hashed(_ secret: String) -> String {
        var hash = SHA256()
        hash.update(data: Array("simorgh-selector:\(secret)".utf8))
        return Hex.encoded(hash.finalize().prefix(16))
    }

    /// Fields whose members mean the same in letters of either case.
    private static let caseless: Set<HTTPField.Name> = [.acceptLanguage, .acceptEncoding, .known("Accept-Charset")]

    /// The value of a field in a form that does not depend on how it is written: its lines joined, no blanks around commas.
    ///
    /// The order of members stays, for servers take it for a preference.
    package static func normalized(_ name: HTTPField.Name, of request: HTTPFields) -> String? {
        guard request.has(name) else { return nil }
        let value = FieldList.members(name, of: request).joined(separator: ",")
        return caseless.contains(name) ? value.lowercased() : value
    }
}
