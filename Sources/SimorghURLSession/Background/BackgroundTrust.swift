// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghDownloads
import SimorghSupport

/// The TLS options of a background session, which all of its users share.
///
/// A session may use the connection of one task for another one, so its options are fixed when it is created. Tasks
/// survive the process, and a later process may have other options; so each task records the ``key`` of the options
/// under which it was created, and a session does not continue the tasks of other keys.
package struct BackgroundTrust: Sendable {
    package let options: TLSOptions
    /// A hash of the options, the same in each process; `nil` for the default options.
    ///
    /// It contains the contents of roots and archives instead of their paths, which may change. It contains no code: of
    /// an evaluation only its kind, and of an identity of the keychain nothing.
    package let key: String?
    /// The fault for which a file of the options cannot be used, as on a locked device; no session is made then, because
    /// it would not know which tasks are its own.
    package let fault: TransportError?

    /// Creates the trust of a session; reads the files that the options name.
    ///
    /// - Parameter options: The options.
    package init(_ options: TLSOptions = TLSOptions()) {
        self.options = options
        do throws(TLSOptionsError) {
            key = options == TLSOptions() ? nil : Self.hash(try Self.description(of: options).utf8)
            fault = nil
        } catch {
            (key, fault) = ("unreadable", TransportError(error))
        }
    }

    /// True if a challenge may need another answer than the system's.
    package var answersChallenges: Bool {
        ([options] + options.rules.map(\.options)).contains {
            !$0.pins.isEmpty || $0.trust != .system || !$0.additionalRoots.isEmpty || $0.evaluation != nil
                || $0.identity != nil
        }
    }

    /// Returns the trust for a host; blocks while it reads files.
    ///
    /// - Parameters:
    ///   - host: The host of a challenge.
    ///   - isOtherOrigin: True if the session has followed a redirect to another origin, which gets no identity but that
    ///     of a rule.
    /// - Returns: The trust.
    /// - Throws: The error for options that cannot be used.
    package func trust(for host: String, isOtherOrigin: Bool) throws(TransportError) -> SessionTrust {
        guard key != nil else { return SessionTrust() }
        let name = Self.normalized(host)
        do throws(TLSOptionsError) {
            let resolved = try (isOtherOrigin ? options.forAnotherOrigin : options).resolved(for: name)
            var trust = try SessionTrust(reading: resolved, for: name)
            if !options.rules.isEmpty || !options.pins.isEmpty || options.evaluation != nil {
                trust.sharedOptions = options
            }
            return trust
        } catch {
            throw TransportError(error)
        }
    }

    /// Returns a host as patterns expect it: in lowercase, without brackets.
    ///
    /// - Parameter host: The host of a URL or a challenge.
    /// - Returns: The host.
    package static func normalized(_ host: String) -> String {
        let isAddress = host.utf8.contains(UInt8(ascii: ":")) && !host.hasPrefix("[")
        let name = HostSyntax.normalized(isAddress ? "[\(host)]" : host) ?? host.lowercased()
        return name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
    }

    private static func description(of options: TLSOptions) throws(TLSOptionsError) -> String {
        let roots = try options.readRoots()
        var parts = [
            "\(roots.includesSystem)",
            "\(options.minimumVersion.rawValue) \(options.maximumVersion.rawValue)", options.serverName ?? "",
            options.evaluation.map { "\($0.replacesVerification)" } ?? "",
            try identity(options.identity),
        ]
        parts += roots.certificates.map { "root \(hash($0))" }
        for pins in options.pins {
            let expires = pins.expires.map { "\($0.timeIntervalSince1970)" } ?? ""
            parts.append("pins \(pins.host) \(pins.keys.sorted()) \(expires) \(pins.appliesToServerKeyOnly)")
        }
        // As a hash, so that the lines of a rule are not taken for lines of these options.
        for rule in options.rules {
            parts.append("rule \(rule.host) \(hash(try description(of: rule.options).utf8))")
        }
        return parts.joined(separator: "\n")
    }

    private static func identity(_ identity: TLSIdentity?) throws(TLSOptionsError) -> String {
        guard case .archive(let source) = identity?.source else { return identity == nil ? "" : "identity" }
        return "identity \(hash(try PEMText.read(source)))"
    }

    private static func hash(_ bytes: some Sequence<UInt8>) -> String {
        var hasher = FileHasher([.sha256])
        Array(bytes).withUnsafeBytes { hasher.update($0) }
        return Hex.encoded(hasher.digests.first?.bytes ?? [])
    }
}

/// An authentication challenge of a task of a background session.
package struct BackgroundChallenge: Sendable {
    /// Makes the credential of an answer; blocks.
    package typealias MakeCredential = @Sendable (SessionTrust) throws(TransportError) -> URLCredential

    /// The authentication method of the protection space.
    private let method: String
    private let isProxy: Bool
    private let host: String
    private let isOtherOrigin: Bool

    /// Creates a challenge.
    ///
    /// - Parameters:
    ///   - method: The authentication method of the protection space.
    ///   - isProxy: True if a proxy asks.
    ///   - host: The host of the protection space.
    ///   - port: Its port.
    ///   - url: The URL of the task's first request; `nil` if unknown, which counts as another origin.
    package init(method: String, isProxy: Bool, host: String, port: Int, url: URL?) {
        (self.method, self.isProxy, self.host) = (method, isProxy, host)
        let name = BackgroundTrust.normalized(host)
        isOtherOrigin =
            url?.scheme?.lowercased() != "https" || url?.host.map(BackgroundTrust.normalized) != name
            || (url?.port ?? 443) != port
    }

    /// Answers the challenge by the trust of the session.
    ///
    /// - Parameters:
    ///   - trust: The trust of the session.
    ///   - verifyServer: Judges the server's certificates.
    ///   - presentIdentity: Returns the client's certificate and key.
    ///   - report: Receives the reason before the challenge is cancelled.
    ///   - completion: The completion handler of the challenge.
    package func answer(
        by trust: BackgroundTrust, verifyServer: @escaping MakeCredential, presentIdentity: @escaping MakeCredential,
        report: @escaping @Sendable (TransportError) -> Void, completion: @escaping ChallengeAnswer.Completion
    ) {
        // The trust reads files.
        ChallengeAnswer.queue.addOperation {
            do throws(TransportError) {
                let trust = try trust.trust(for: host, isOtherOrigin: isOtherOrigin)
                ChallengeAnswer(
                    to: method, isProxy: isProxy, host: host, trust: trust,
                    verifyServer: { () throws(TransportError) in try verifyServer(trust) },
                    presentIdentity: { () throws(TransportError) in try presentIdentity(trust) }, report: report
                ).give(to: completion) { _, _ in nil }
            } catch {
                report(error)
                completion(.cancelAuthenticationChallenge, nil)
            }
        }
    }
}

/// The error of a server, or of TLS options, for which a challenge of a task was cancelled.
package struct BackgroundRefusal: Sendable, Hashable {
    package let error: TransportError

    package init(_ error: TransportError) { self.error = error }

    package static func == (left: BackgroundRefusal, right: BackgroundRefusal) -> Bool {
        left.error.code == right.error.code && left.error.message == right.error.message
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(error.message) }
}
