// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh
import SimorghOAuth
import SimorghSupport

/// `simorgh login NAME`.
package struct LoginCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Signs in at an OAuth 2.0 server, for the option --oauth.",
        discussion: """
            Standard output has the URL to open in a browser, and with --device the code on a second line. The settings and \
            the token are in ~/.config/simorgh/oauth, in files that only you can read. A name that was used before needs \
            no other option.

              simorgh login birds --issuer https://auth.example.com --client-id tour --scope birds
              simorgh login birds --device
              simorgh login birds --browser
              simorgh login job --token-url https://auth.example.com/token --client-id job --client-secret @secret --machine
              simorgh get https://api.example.com/birds --oauth birds

            \(ProgramStatus.pointer)
            """)

    @Argument(help: "A name for the sign-in.")
    package var name: String

    @Option(help: ArgumentHelp("The server, whose metadata has all its URLs.", valueName: "url"))
    package var issuer: String?

    @Option(help: ArgumentHelp("The token endpoint, instead of --issuer.", valueName: "url"))
    package var tokenURL: String?

    @Option(help: ArgumentHelp("The authorization endpoint, with --token-url.", valueName: "url"))
    package var authorizeURL: String?

    @Option(help: ArgumentHelp("The device authorization endpoint, with --token-url.", valueName: "url"))
    package var deviceURL: String?

    @Option(help: ArgumentHelp("The endpoint for simorgh logout, with --token-url.", valueName: "url"))
    package var revokeURL: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The identifier of the client.", valueName: "id"))
    package var clientID: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The secret of the client.", valueName: "secret|@file"))
    package var clientSecret: String?

    @Flag(help: "Send the secret as a form field, instead of as Basic credentials.")
    package var secretInForm = false

    @Option(parsing: .unconditionalSingleValue, help: ArgumentHelp("A scope; repeat it for more.", valueName: "scope"))
    package var scope: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "An origin that may receive the token; repeat it for more.",
            discussion: "Default: that of the URL that --oauth is used with.", valueName: "url"))
    package var origin: [String] = []

    @Flag(help: "Sign in with a browser on this machine. Default for a new name.")
    package var browser = false

    @Flag(help: "Sign in with a browser on another device.")
    package var device = false

    @Flag(help: "Use the client's own credentials, without a user.")
    package var machine = false

    @Option(help: "The port of the redirect on 127.0.0.1. Default: any free port.")
    package var port: UInt16 = 0

    @Flag(help: "Do not open the browser.")
    package var noBrowser = false

    @OptionGroup package var trust: TrustArguments

    package init() {}

    package func validate() throws {
        guard issuer == nil || tokenURL == nil else { throw ValidationError("use either --issuer or --token-url") }
        guard tokenURL != nil || authorizeURL == nil && deviceURL == nil && revokeURL == nil else {
            throw ValidationError("--authorize-url, --device-url and --revoke-url require --token-url")
        }
        guard [browser, device, machine].count(where: { $0 }) <= 1 else {
            throw ValidationError("use one of --browser, --device and --machine")
        }
    }

    package func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let files = try OAuthFiles(name, environment: environment)
        var request = RequestDescription(method: .get, url: "")
        request.certificates = trust.certificates
        let exchange = RequestExchange(request: request, console: .standard)
        try await exchange.run { client in
            let saved = try await OAuthProfile.load(files)
            let profile = try await profile(from: saved, over: client)
            let oauth = try profile.client(over: client)
            do {
                let token = try await token(profile, oauth, notes: exchange.notes)
                try files.makeFolder()
                try await profile.save(files)
                // Saved last: until then the settings refuse the old token if it is of another client or server.
                try await files.store.owned(by: oauth.owner).save(token.accessToken)
                await exchange.notes.note("simorgh: signed in as \(name)")
            } catch let error as OAuthError {
                throw CommandError(error)
            } catch let error as TokenFileError {
                throw CommandError(.output, message: "\(error)")
            }
        }
    }

    /// Returns the settings of the arguments, and where they say nothing those of the last time.
    private func profile(from saved: OAuthProfile?, over client: APIClient) async throws -> OAuthProfile {
        var profile: OAuthProfile
        do {
            let server: OAuthServer
            if let issuer {
                server = try await .discovered(issuer: issuer, over: client)
            } else if let tokenURL {
                server = OAuthServer(
                    tokenEndpoint: tokenURL, authorizationEndpoint: authorizeURL,
                    deviceAuthorizationEndpoint: deviceURL, revocationEndpoint: revokeURL)
            } else if let saved {
                server = saved.server
            } else {
                throw CommandError.usage("there is no sign-in \(name) yet: use --issuer URL and --client-id ID")
            }
            guard let id = clientID ?? saved?.clientID else { throw CommandError.usage("login needs --client-id ID") }
            profile = OAuthProfile(server: server, clientID: id)
            // A secret is only for the server that it was given for.
            if let saved, saved.server == server, saved.clientID == id { profile = saved }
        } catch let error as OAuthError {
            throw CommandError(error)
        }
        if let clientSecret { profile.clientSecret = try CredentialArgument.read(clientSecret, of: "--client-secret") }
        if secretInForm { profile.sendsSecretInForm = true }
        if !scope.isEmpty { profile.scopes = scope }
        if !origin.isEmpty { profile.origins = origin }
        if browser { profile.flow = .browser }
        if device { profile.flow = .device }
        if machine { profile.flow = .machine }
        guard profile.origins.allSatisfy({ (try? CookieOrigin($0))?.isTrustworthy == true && WebOrigin($0) != nil })
        else { throw CommandError.usage("--origin takes URLs with https, such as https://api.example.com") }
        return profile
    }

    private func token(_ profile: OAuthProfile, _ oauth: OAuthClient, notes: ConsoleQueue) async throws -> OAuthToken {
        let output = ConsoleQueue(.standard)
        switch profile.flow {
        case .machine: return try await oauth.token(for: .clientCredentials(scopes: profile.scopes))
        case .device:
            let device = try await oauth.authorizeDevice(scopes: profile.scopes)
            await notes.note("simorgh: open this URL on any device, and enter the code:")
            try await output.say(DisplayText.oneLine(device.verificationURL))
            try await output.say(DisplayText.oneLine(device.userCode))
            return try await oauth.token(for: device)
        case .browser:
            var options = LoopbackOptions()
            options.port = port
            return try await oauth.signIn(scopes: profile.scopes, options: options) { [noBrowser] url in
                await notes.note("simorgh: open this URL in a browser on this machine to sign in:")
                try await output.say(DisplayText.oneLine(url))
                if !noBrowser { _ = Browser.open(url) }
            }
        }
    }
}

extension CommandError {
    /// Creates the failure for an error of a sign-in.
    init(_ error: OAuthError) {
        let status: ProgramStatus =
            switch error.reason {
            case .rejected, .denied, .signInRequired: .clientError
            case .expired: .timeout
            case .insecureURL, .unsupported: .usage
            case .invalidResponse, .issuerMismatch, .stateMismatch: .brokenResponse
            case .unreachable: (error.underlying as? NetworkError).map { ProgramStatus($0) } ?? .connection
            default: .failure
            }
        self.init(status, message: error.description)
    }
}
#endif
