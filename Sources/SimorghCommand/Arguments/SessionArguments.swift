// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh

/// The arguments about what surrounds a request: credentials, retries, redirects, cookies.
package struct SessionArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "A user name and a password, sent as they are.",
            discussion: "Other users of this machine may see the command line; @FILE takes the first line of a file.",
            valueName: "name:password|@file"))
    package var user: String?

    @Flag(help: "Answer the server's Digest challenge with --user, instead of sending the password.")
    package var digest = false

    @Option(parsing: .unconditional, help: ArgumentHelp("A bearer token.", valueName: "token|@file"))
    package var bearer: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How often to try again after a passing fault.",
            discussion: "Only what is safe to send twice is: GET, HEAD, PUT, DELETE, and what has an Idempotency-Key.",
            valueName: "times"))
    package var retry: Int?

    @Flag(name: [.customShort("L"), .long], help: "Follow redirects, 20 at most; credentials stay with their origin.")
    package var location = false

    @Option(
        help: ArgumentHelp(
            "Send the cookies of this file, and save those that come.",
            discussion: "A new file is one that curl reads and writes, too; an older one of JSON stays as it is.",
            valueName: "file"),
        completion: .file())
    package var cookieJar: String?

    @OptionGroup package var caching: CacheArguments

    @Flag(
        help: ArgumentHelp(
            "Answer from what is kept of earlier responses, and keep this one, as RFC 9111 allows.",
            discussion: "What was done is said on standard error. See also: simorgh cache."))
    package var cache = false

    package init() {}

    /// Puts what the arguments say into a request.
    ///
    /// - Parameter request: The request.
    /// - Throws: ``CommandFailure`` that says which argument is wrong, and no credential.
    package func apply(to request: inout RequestDescription) throws(CommandFailure) {
        request.credential = try credential()
        if let retry {
            guard (0...1000).contains(retry) else { throw .usage("--retry takes a number from 0 to 1000") }
            request.retries = retry
        }
        request.followsRedirects = location
        if cookieJar?.isEmpty == true { throw .usage("--cookie-jar takes the name of a file") }
        request.cookieJar = cookieJar
        guard cache || caching.cachePath == nil else { throw .usage("--cache-path is about --cache: add it") }
        if cache { request.cache = try caching.folder() }
    }

    private func credential() throws(CommandFailure) -> RequestDescription.Credential? {
        guard user == nil || bearer == nil else {
            throw .usage("--user and --bearer both make Authorization: give one")
        }
        if let bearer { return .bearer(try SecretText.read(bearer, of: "--bearer")) }
        guard let user else {
            guard !digest else { throw .usage("--digest needs --user NAME:PASSWORD") }
            return nil
        }
        let text = try SecretText.read(user, of: "--user")
        guard let halves = text[...].halves(at: ":") else {
            throw .usage("--user takes NAME:PASSWORD, and has no colon")
        }
        let (name, password) = (String(halves.before), String(halves.behind))
        return digest ? .digest(username: name, password: password) : .basic(username: name, password: password)
    }
}
#endif
