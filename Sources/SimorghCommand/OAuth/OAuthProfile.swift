// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghOAuth
import SimorghSupport

/// The settings of `simorgh login NAME`, in a file that only the user can read, and the file of its token.
struct OAuthProfile: Codable, Sendable, Equatable {
    /// The way in which the user signs in.
    enum Flow: String, Codable, Sendable {
        /// With a browser on this machine.
        case browser
        /// With a browser on another device.
        case device
        /// Without a user, by client credentials.
        case machine
    }

    private static let maximumBytes = 256 * 1024

    var version = 1
    var server: OAuthServer
    var clientID: String
    var clientSecret: String?
    /// True if the secret is sent as a field of the form.
    var sendsSecretInForm = false
    var scopes: [String] = []
    var flow = Flow.browser
    /// The origins that may receive the token; empty for all.
    var origins: [String] = []

    init(server: OAuthServer, clientID: String) {
        self.server = server
        self.clientID = clientID
    }

    /// Returns the client of the authorization server.
    func client(over client: APIClient) throws(CommandError) -> OAuthClient {
        let authentication: OAuthClientAuthentication =
            switch clientSecret {
            case nil: .none
            case let secret?: sendsSecretInForm ? .post(secret: secret) : .basic(secret: secret)
            }
        do {
            return try OAuthClient(id: clientID, server: server, authentication: authentication, over: client)
        } catch {
            throw CommandError(.usage, message: "\(error)")
        }
    }

    /// Returns the token of the sign-in, which is refreshed and saved, for the origins of the profile, or only that of a
    /// URL.
    func authentication(
        _ oauth: OAuthClient, url: String, files: OAuthFiles, notes: ConsoleQueue
    ) -> Authentication {
        let onSaveFailure: @Sendable (any Error) -> Void = { error in
            notes.noteLater("simorgh: the token could not be saved: \(DisplayText.oneLine("\(error)"))")
        }
        let scopes = scopes
        let token =
            flow == .machine
            ? oauth.refreshingToken(
                .clientCredentials(scopes: scopes), store: files.store, onSaveFailure: onSaveFailure)
            : oauth.refreshingToken(store: files.store, onSaveFailure: onSaveFailure)
        return Authentication.refreshing(token).refusingClearText().limited(
            to: origins.isEmpty ? [Self.httpURL(url)] : origins)
    }

    /// Checks that a URL may receive the token.
    func check(_ url: String, name: String) throws(CommandError) {
        guard (try? CookieOrigin(url))?.isTrustworthy == true else {
            throw .usage("--oauth \(name): the token is not sent over http; use https")
        }
        let origin = WebOrigin(Self.httpURL(url))
        guard origins.isEmpty || origins.contains(where: { WebOrigin($0) == origin }) else {
            throw .usage(
                "--oauth \(name): the token is only for \(DisplayText.oneLine(origins.joined(separator: ", ")))")
        }
    }

    /// Returns the URL of the HTTP request that opens a WebSocket.
    private static func httpURL(_ url: String) -> String { url.hasPrefix("ws") ? "http" + url.dropFirst(2) : url }

    /// Loads the settings.
    static func load(_ files: OAuthFiles) async throws(CommandError) -> OAuthProfile? {
        let contents: PrivateFile.Contents?
        do throws(PrivateFile.FileError) {
            contents = try await FileQueue.run { () throws(PrivateFile.FileError) in
                try files.settings.read(upTo: maximumBytes, refusesOthers: true)
            }
        } catch {
            throw CommandError(
                .usage, message: "\(files.settings.path) cannot be used (\(error)): only you may read and change it")
        }
        guard let contents else { return nil }
        guard !contents.isReadableByOthers else {
            throw CommandError(.usage, message: "\(files.settings.path) can be read by other users: use chmod 600")
        }
        guard let profile = try? JSONDecoder().decode(OAuthProfile.self, from: Data(contents.bytes)),
            profile.version == 1
        else { throw CommandError(.usage, message: "\(files.settings.path) is damaged: delete it, and log in again") }
        return profile
    }

    func save(_ files: OAuthFiles) async throws(CommandError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else {
            throw CommandError(.output, message: "the settings cannot be written as JSON")
        }
        do throws(PrivateFile.FileError) {
            try await FileQueue.run { () throws(PrivateFile.FileError) in
                files.settings.sweep()
                try files.settings.replace(with: data)
            }
        } catch {
            throw CommandError(.output, message: "\(files.settings.path) cannot be written (\(error))")
        }
    }
}
#endif
