// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

extension HTTPRequest {
    /// The value of the field `Host`, as it is sent.
    var hostToSign: String {
        get throws(SigningError) {
            let own: String?
            do { own = try HostField.value(in: headerFields) } catch {
                throw SigningError(.missingComponent, error.message)
            }
            guard let host = own ?? authority, !host.isEmpty else {
                throw SigningError(.missingComponent, "the request has no host to sign")
            }
            return host
        }
    }
}
