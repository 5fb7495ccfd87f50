// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh
import SimorghOAuth
import SimorghSupport

/// `simorgh logout NAME`.
package struct LogoutCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Revokes the token of simorgh login, and removes it.",
        discussion: """
            The token is removed even if it cannot be revoked, and standard error says so. A server without an endpoint for \
            revoking accepts the token until it expires.

              simorgh logout birds

            \(ProgramStatus.pointer)
            """)

    @Argument(help: "The name of the sign-in.")
    package var name: String

    @OptionGroup package var trust: TrustArguments

    package init() {}

    package func run() async throws {
        let files = try OAuthFiles(name, environment: ProcessInfo.processInfo.environment)
        guard let profile = try await OAuthProfile.load(files) else {
            throw CommandError.usage("there is no sign-in \(name)")
        }
        var request = RequestDescription(method: .get, url: "")
        request.certificates = trust.certificates
        let exchange = RequestExchange(request: request, console: .standard)
        try await exchange.run { client in
            let oauth = try profile.client(over: client)
            let store = files.store.owned(by: oauth.owner)
            let outcome: Outcome
            do {
                // A refresh in between would give another token, which would be removed without being revoked.
                outcome = try await store.withExclusiveAccess {
                    let outcome = await LogoutCommand.revoke(store, oauth)
                    try await store.clear()
                    return outcome
                }
            } catch {
                throw CommandError(.output, message: "\(error)")
            }
            files.removeSettings()
            switch outcome {
            case .ended: break
            case .unsupported:
                await exchange.notes.note(
                    "simorgh: the token was removed from this machine, but not revoked: the server has no endpoint for it "
                        + "(simorgh login --revoke-url)")
            case .failed(let reason):
                throw CommandError(
                    .failure, message: "the token was removed from this machine, but may still be valid: \(reason)")
            }
        }
    }

    /// The outcome of revoking.
    private enum Outcome: Sendable {
        /// The token was revoked, or the store had no token.
        case ended
        /// The server has no endpoint for it.
        case unsupported
        /// The token may still be valid.
        case failed(String)
    }

    private static func revoke(_ store: any SharedTokenStore, _ oauth: OAuthClient) async -> Outcome {
        do {
            guard let token = try await store.load() else { return .ended }
            try await oauth.revokeSignIn(of: token)
            return .ended
        } catch {
            if let error = error as? OAuthError, error.reason == .unsupported { return .unsupported }
            return .failed("\(error)")
        }
    }
}
#endif
