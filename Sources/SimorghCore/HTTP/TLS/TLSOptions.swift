// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The settings and the trust for secure connections.
///
/// Certificates are always verified, including the host name. Invalid options (a file that cannot be read, a key that
/// does not match its certificate, a malformed pin) fail the request with ``TLSOptionsError`` before a connection
/// is opened. Options that compare equal share connections; files that they name are read when first needed, and the
/// contents kept.
public struct TLSOptions: Sendable, Hashable {
    /// `nil` for the defaults, so that comparing them, as each request does, costs nothing.
    private var storage: Storage?

    /// Creates the default options: the system's root certificates, TLS 1.2 or later.
    public init() {}

    private init(_ storage: Storage?) { self.storage = storage }

    /// The trusted root certificates.
    ///
    /// Default: the system's.
    public var trust: TLSTrust {
        get { storage?.values.trust ?? .system }
        set { change { $0.trust = newValue } }
    }

    /// Root certificates in PEM that are trusted in addition to ``trust``.
    ///
    /// Default: empty.
    public var additionalRoots: [String] {
        get { storage?.values.additionalRoots ?? [] }
        set { change { $0.additionalRoots = newValue } }
    }

    /// The public keys that hosts must have.
    ///
    /// Default: empty.
    ///
    /// Every element whose pattern matches the host must be satisfied.
    public var pins: [TLSPins] {
        get { storage?.values.pins ?? [] }
        set { change { $0.pins = newValue } }
    }

    /// The certificate to send to a server that requests one.
    ///
    /// Default: `nil`.
    ///
    /// A redirect to another origin does not use it: add that host to ``rules`` if it needs a certificate.
    public var identity: TLSIdentity? {
        get { storage?.values.identity }
        set { change { $0.identity = newValue } }
    }

    /// The oldest TLS version to accept.
    ///
    /// Default: 1.2.
    ///
    /// Older versions are insecure and not supported (RFC 8996).
    public var minimumVersion: Version {
        get { storage?.values.minimumVersion ?? .tls12 }
        set { change { $0.minimumVersion = newValue } }
    }

    /// The newest TLS version to offer.
    ///
    /// Default: 1.3.
    public var maximumVersion: Version {
        get { storage?.values.maximumVersion ?? .tls13 }
        set { change { $0.maximumVersion = newValue } }
    }

    /// The name to request and verify instead of the URL's host; `nil`, the default, for the URL's host.
    ///
    /// A redirect to another origin does not use it.
    public var serverName: String? {
        get { storage?.values.serverName }
        set { change { $0.serverName = newValue } }
    }

    /// The caller's own check of certificates.
    ///
    /// Default: `nil`.
    public var evaluation: TLSEvaluation? {
        get { storage?.values.evaluation }
        set { change { $0.evaluation = newValue } }
    }

    /// Other options for some hosts.
    ///
    /// Default: empty.
    ///
    /// The first rule whose pattern matches the host replaces these options entirely.
    public var rules: [TLSRule] {
        get { storage?.values.rules ?? [] }
        set { change { $0.rules = newValue } }
    }

    private mutating func change(_ change: (inout Values) -> Void) {
        var values = storage?.values ?? Values()
        change(&values)
        storage = values == Values() ? nil : Storage(values)
    }

    /// Returns the options that apply to a host, without rules.
    ///
    /// - Parameter host: The name or address, in lowercase, without the brackets of an IPv6 literal.
    /// - Returns: The options.
    /// - Throws: ``TLSOptionsError`` for faults that can be found without reading a file.
    package func resolved(for host: String) throws(TLSOptionsError) -> TLSOptions {
        guard let storage else { return self }
        if let fault = storage.fault { throw fault }
        guard !storage.values.rules.isEmpty else { return self }
        guard let rule = storage.values.rules.first(where: { $0.pattern?.matches(host) == true }) else {
            return withoutRules
        }
        if let fault = rule.options.storage?.fault { throw fault }
        return rule.options.withoutRules
    }

    private var withoutRules: TLSOptions {
        guard let storage, !storage.values.rules.isEmpty else { return self }
        return TLSOptions(storage.withoutRules)
    }

    /// The same options for a redirect to another origin: without the identity and the server name.
    package var forAnotherOrigin: TLSOptions {
        guard identity != nil || serverName != nil else { return self }
        var options = self
        options.identity = nil
        options.serverName = nil
        return options
    }

    /// The same options for a proxy: without those that apply to the server only.
    package var forProxy: TLSOptions {
        guard self != TLSOptions() else { return self }
        var options = forAnotherOrigin
        options.evaluation = nil
        options.pins.removeAll { $0.appliesToServerKeyOnly }
        return options
    }

    /// Returns true if both make connections in the same way.
    public static func == (left: TLSOptions, right: TLSOptions) -> Bool {
        if left.storage === right.storage { return true }
        // Stored values always differ from the defaults.
        guard let left = left.storage, let right = right.storage else { return false }
        return left.hash == right.hash && left.values == right.values
    }

    /// Feeds the values that `==` compares into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage?.hash) }
}

extension TLSOptions {
    /// A version of TLS.
    @nonexhaustive
    public enum Version: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// TLS 1.2.
        case tls12 = 12
        /// TLS 1.3.
        case tls13 = 13

        /// Returns true if the left version is older than the right one.
        public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
    }

    private struct Values: Sendable, Hashable {
        var trust = TLSTrust.system
        var additionalRoots: [String] = []
        var pins: [TLSPins] = []
        var identity: TLSIdentity?
        var minimumVersion = Version.tls12
        var maximumVersion = Version.tls13
        var serverName: String?
        var evaluation: TLSEvaluation?
        var rules: [TLSRule] = []

        /// The fault that can be found without reading a file, if any.
        var fault: TLSOptionsError? {
            for pins in pins { if let fault = pins.fault { return fault } }
            for rule in rules where rule.pattern == nil {
                return TLSOptionsError(.hostPattern, message: "\(rule.host) is not a host pattern")
            }
            if minimumVersion > maximumVersion {
                return TLSOptionsError(
                    .versions, message: "the oldest version of TLS to speak is newer than the newest")
            }
            if let serverName, HostPattern(serverName)?.isOneHost != true {
                return TLSOptionsError(.serverName, message: "the server name \(serverName) is not a valid host")
            }
            return nil
        }
    }

    /// Immutable values, with the results that are computed from them once.
    private final class Storage: Sendable {
        let values: Values
        let hash: Int
        let fault: TLSOptionsError?
        /// The same values without rules; `nil` if those are the defaults.
        let withoutRules: Storage?

        init(_ values: Values) {
            self.values = values
            hash = values.hashValue
            fault = values.fault
            var plain = values
            plain.rules = []
            withoutRules = values.rules.isEmpty || plain == Values() ? nil : Storage(plain)
        }
    }
}
