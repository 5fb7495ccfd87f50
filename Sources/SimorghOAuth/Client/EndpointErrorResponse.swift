// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The error response of an endpoint (RFC 6749, section 5.2).
struct EndpointErrorResponse: Sendable, Equatable {
    /// The longest accepted error code, in bytes.
    private static let maximumCodeBytes = 64
    /// The shortest secret that is looked for in a code, in bytes: a shorter value, such as the version `1`, is part of
    /// too many codes.
    private static let minimumSecretBytes = 4
    /// The longest description that an error repeats, in Unicode scalars.
    private static let maximumDescription = 300

    /// The registered codes, which are no secrets, even if a field of the request has the same value.
    private static let registeredCodes: Set<String> = [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
        "invalid_scope", "access_denied", "unsupported_response_type", "server_error", "temporarily_unavailable",
        "authorization_pending", "slow_down", "expired_token", "invalid_target", "unsupported_token_type",
        "use_dpop_nonce", "invalid_dpop_proof", "interaction_required", "login_required", "consent_required",
        "account_selection_required",
    ]

    let code: String
    /// The description for a person, without secrets and control characters.
    let message: String?

    /// Reads an error from a body; `nil` if the body is not an error response.
    ///
    /// - Parameters:
    ///   - body: The body, or the fields of a redirect as an object.
    ///   - secrets: The secrets of the request: a server that repeats them must not bring them into an error.
    init?(_ body: JSON, secrets: [String]) {
        guard let code = body["error"].string else { return nil }
        self.init(code: code, description: body["error_description"].string, secrets: secrets)
    }

    init?(code: String, description: String?, secrets: [String]) {
        // The characters of RFC 6749, appendix A.7.
        guard (1...Self.maximumCodeBytes).contains(code.utf8.count),
            code.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }),
            Self.registeredCodes.contains(code)
                || !secrets.contains(where: { $0.utf8.count >= Self.minimumSecretBytes && code.contains($0) })
        else { return nil }
        self.code = code
        message = description.flatMap { Self.shown($0, secrets: secrets) }
    }

    private static func shown(_ text: String, secrets: [String]) -> String? {
        var text = text
        for secret in secrets where !secret.isEmpty { text = text.replacing(secret, with: "…") }
        var shown = ""
        for scalar in text.unicodeScalars.prefix(maximumDescription) {
            shown.unicodeScalars.append(LogText.isControl(scalar) ? " " : scalar)
        }
        return shown.allSatisfy { $0 == " " } ? nil : shown
    }

    /// Returns the error of a response.
    func error(status: Int?, isRefresh: Bool = false) -> OAuthError {
        let detail = message.map { ": \($0)" } ?? ""
        return switch code {
        case "invalid_grant" where isRefresh:
            OAuthError(
                .signInRequired,
                message: "the server rejected the refresh token, which has expired, was revoked, or was used before"
                    + "; sign in again (\(code)\(detail))",
                code: code, statusCode: status)
        case "access_denied":
            OAuthError(.denied, message: "access was denied (\(code)\(detail))", code: code, statusCode: status)
        case "expired_token":
            OAuthError(
                .expired, message: "the sign-in was not completed in time; begin again (\(code)\(detail))", code: code,
                statusCode: status)
        default:
            OAuthError(
                .rejected, message: "the authorization server answered \(code)\(detail)", code: code,
                statusCode: status)
        }
    }
}
