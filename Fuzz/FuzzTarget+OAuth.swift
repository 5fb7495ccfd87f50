// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghOAuth
import SimorghSupport

extension FuzzTarget {
    /// Responses of token endpoints: an accepted token can be sent in a header field, and an error has no control
    /// characters.
    static let oauthToken = FuzzTarget(name: "oauth-token") { bytes in
        let status = bytes.below(2) == 0 ? 200 : 400
        let sent = Date(timeIntervalSince1970: 1_800_000_000)
        do throws(OAuthError) {
            let token = try TokenResponse(status: status, body: Data(bytes.rest)).token(sentAt: sent).accessToken
            precondition(status == 200 && (try? HeaderRules.bearer(token.value)) != nil, "the token cannot be sent")
            precondition(token.expiration.map { $0 >= sent } ?? true, "the token expired before it was requested")
        } catch {
            precondition(!error.description.unicodeScalars.contains(where: LogText.isControl), "control characters")
        }
    }

    /// Requests of browsers: a byte at a time gives the same result, and only the path and the host of the listener do.
    static let oauthRedirect = FuzzTarget(name: "oauth-redirect") { bytes in
        let text = bytes.rest
        let whole = LoopbackRequest(text, path: "/callback", port: 80)
        if case .target(let target) = whole { precondition(target.hasPrefix("/callback?"), "another path") }
        guard text.count < 1000 else { return }
        var step = LoopbackRequest.incomplete
        for count in 0..<text.count where step == .incomplete {
            step = LoopbackRequest(Array(text[...count]), path: "/callback", port: 80, checked: count)
        }
        precondition(step == whole, "the pieces matter")
        _ = try? AuthorizationResponse(String(decoding: text, as: UTF8.self))
    }
}
