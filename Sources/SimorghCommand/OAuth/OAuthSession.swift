// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghOAuth
import SimorghSupport

/// A saved sign-in, for `--oauth NAME`.
struct OAuthSession: Sendable {
    private let files: OAuthFiles
    private let profile: OAuthProfile

    /// Loads the settings of a sign-in.
    ///
    /// - Parameter name: The name.
    /// - Throws: ``CommandError`` if there is no sign-in of this name.
    init(_ name: String) async throws(CommandError) {
        files = try OAuthFiles(name, environment: ProcessInfo.processInfo.environment)
        guard let profile = try await OAuthProfile.load(files) else {
            throw .usage("--oauth: there is no sign-in \(name); create it with: simorgh login \(name)")
        }
        self.profile = profile
    }

    /// Returns a client that sends the token of the sign-in.
    ///
    /// - Parameters:
    ///   - client: The client of the request, whose connections and TLS options the requests for tokens use, too.
    ///   - url: The URL of the request.
    ///   - notes: The queue for warnings.
    /// - Returns: The client.
    /// - Throws: ``CommandError`` if the URL may not receive the token.
    func signedIn(_ client: APIClient, url: String, notes: ConsoleQueue) throws(CommandError) -> APIClient {
        try profile.check(url, name: files.name)
        let authentication = profile.authentication(
            try profile.client(over: client), url: url, files: files, notes: notes)
        return client.with { $0.authentication = authentication }
    }
}
#endif
