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
        discussion: "  simorgh logout birds")

    @Argument(help: "The name of the sign-in.")
    package var name: String

    package init() {}

    package func run() async throws {
        let files = try OAuthFiles(name, environment: ProcessInfo.processInfo.environment)
        guard let profile = try await OAuthProfile.load(files) else {
            throw CommandError.usage("there is no sign-in \(name)")
        }
        let exchange = RequestExchange(request: RequestDescription(method: .get, url: ""), console: .standard)
        try await exchange.run { client in
            var failure: OAuthError?
            do {
                if let token = try await files.store.load(), profile.server.revocationEndpoint != nil {
                    try await profile.client(over: client).revoke(token)
                }
            } catch let error as OAuthError {
                failure = error
            } catch let error as TokenFileError {
                throw CommandError(.output, message: "\(error)")
            }
            do {
                try await files.store.clear()
            } catch {
                throw CommandError(.output, message: "\(error)")
            }
            files.removeSettings()
            guard let failure else { return }
            throw CommandError(
                .failure, message: "the token was removed from this machine, but may still be valid: \(failure)")
        }
    }
}
#endif
