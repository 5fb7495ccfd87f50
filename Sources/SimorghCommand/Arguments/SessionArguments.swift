// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh

/// The arguments for credentials, retries, redirects, cookies and the cache.
package struct SessionArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "A user name and a password for Basic authentication.",
            discussion: "Other users of this machine may see the command line; @FILE takes the first line of a file.",
            valueName: "name:password|@file"))
    package var user: String?

    @Flag(help: "Answer the server's Digest challenge with --user, instead of sending the password.")
    package var digest = false

    @Option(parsing: .unconditional, help: ArgumentHelp("A bearer token.", valueName: "token|@file"))
    package var bearer: String?

    @Option(
        name: .customLong("aws-sigv4"), parsing: .unconditional,
        help: ArgumentHelp(
            "Sign by AWS Signature Version 4, with --user KEY-ID:SECRET or the environment's credentials.",
            discussion: "Without them, those of the profile, the container or the instance are used.",
            valueName: "aws:amz:region:service"))
    package var awsSigV4: String?

    @Option(
        help: ArgumentHelp(
            "Send the token of simorgh login, and refresh it.", discussion: "Over https only.", valueName: "name"))
    package var oauth: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The maximum number of retries after a transient error.",
            discussion:
                "Only repeatable requests are retried: GET, HEAD, PUT, DELETE, QUERY, or with an Idempotency-Key.",
            valueName: "times"))
    package var retry: Int?

    @Flag(name: [.customShort("L"), .long], help: "Follow redirects, 20 at most; credentials stay with their origin.")
    package var location = false

    @Option(
        help: ArgumentHelp(
            "Send the cookies of this file, and save received cookies to it.",
            discussion: "A new file has curl's format; an existing JSON file keeps its format.",
            valueName: "file"),
        completion: .file())
    package var cookieJar: String?

    @Flag(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Send the user name and password that ~/.netrc has for the host, over https only.",
            discussion: "Over http they are sent to this machine only. The entry default is not used."))
    package var netrc = false

    @Option(
        help: ArgumentHelp("As --netrc, with another file.", valueName: "file"), completion: .file())
    package var netrcFile: String?

    @Option(
        help: ArgumentHelp(
            "Reach the hosts of this file over https only, and add hosts that require it (HSTS).",
            discussion: "A new file is created; the format is that of curl.", valueName: "file"),
        completion: .file())
    package var hsts: String?

    @OptionGroup package var caching: CacheArguments

    @Flag(
        help: ArgumentHelp(
            "Use stored responses, and store this one, as RFC 9111 allows.",
            discussion: "Standard error shows whether the cache was used. See also: simorgh cache."))
    package var cache = false

    package init() {}

    /// Applies the arguments to a request.
    ///
    /// - Parameter request: The request.
    /// - Throws: ``CommandError`` that names the invalid argument, and never a credential.
    package func apply(to request: inout RequestDescription) throws(CommandError) {
        request.credential = try credential(for: request.url)
        if let retry {
            guard (0...1000).contains(retry) else { throw .usage("--retry takes a number from 0 to 1000") }
            request.retries = retry
        }
        request.followsRedirects = location
        if cookieJar?.isEmpty == true { throw .usage("--cookie-jar takes the name of a file") }
        request.cookieJar = cookieJar
        if hsts?.isEmpty == true { throw .usage("--hsts takes the name of a file") }
        request.hstsFile = hsts
        if netrc || netrcFile != nil {
            guard request.credential == nil else {
                throw .usage("--netrc, --user, --bearer and --aws-sigv4 all set Authorization: use only one")
            }
            guard let path = netrcFile ?? Netrc.defaultPath, !path.isEmpty else {
                throw .usage("--netrc needs the home folder in HOME: use --netrc-file FILE")
            }
            request.netrcFile = path
        }
        if let oauth {
            guard request.credential == nil, request.netrcFile == nil else {
                throw .usage("--oauth, --netrc, --user and --bearer all set Authorization: use only one")
            }
            request.oauth = oauth
        }
        guard cache || caching.cachePath == nil else { throw .usage("--cache-path requires --cache") }
        if cache { request.cache = try caching.folder() }
    }

    private func credential(for url: String) throws(CommandError) -> RequestDescription.Credential? {
        guard user == nil || bearer == nil else {
            throw .usage("--user and --bearer both set Authorization: use only one")
        }
        if let awsSigV4 {
            guard bearer == nil, !digest else {
                throw .usage("--aws-sigv4, --bearer and --digest all set Authorization: use only one")
            }
            var user: String?
            if let text = self.user { user = try CredentialArgument.read(text, of: "--user") }
            return .sigV4(try AWSSignature(awsSigV4, user: user, url: url))
        }
        if let bearer { return .bearer(try CredentialArgument.read(bearer, of: "--bearer")) }
        guard let user else {
            guard !digest else { throw .usage("--digest requires --user NAME:PASSWORD") }
            return nil
        }
        let text = try CredentialArgument.read(user, of: "--user")
        guard let halves = text[...].halves(at: ":") else {
            throw .usage("--user takes NAME:PASSWORD, but the value has no colon")
        }
        let (name, password) = (String(halves.before), String(halves.behind))
        return digest ? .digest(username: name, password: password) : .basic(username: name, password: password)
    }
}
#endif
