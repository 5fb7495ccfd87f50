// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How a secure connection is made, and whom it trusts.
///
/// Certificates are always verified, names included. Bad options (a file that cannot be read, a key that does not fit its
/// certificate, a pin that is no hash) fail the request with ``InvalidTLSOptions`` before anything is dialled. Options that
/// compare equal share connections; what the files among them hold is read when first needed and kept.
public struct TLSOptions: Sendable, Hashable {
    /// `nil` for the defaults, so that to compare them, as each request does, costs nothing.
    private var storage: Storage?

    /// Creates the default options: the system's roots, TLS 1.2 or better.
    public init() {}

    private init(_ storage: Storage?) { self.storage = storage }

    /// Whom to trust; the system's roots by default.
    public var trust: TLSTrust {
        get { storage?.values.trust ?? .system }
        set { change { $0.trust = newValue } }
    }

    /// Root certificates in PEM that are trusted besides those of ``trust``; none by default.
    public var additionalRoots: [String] {
        get { storage?.values.additionalRoots ?? [] }
        set { change { $0.additionalRoots = newValue } }
    }

    /// Which public keys hosts have to show; none by default.
    ///
    /// Each whose pattern matches the host has to be satisfied.
    public var pins: [TLSPins] {
        get { storage?.values.pins ?? [] }
        set { change { $0.pins = newValue } }
    }

    /// The certificate to show to a server that asks for one; `nil` by default.
    ///
    /// A redirect to another origin does not take it along: name that host in ``rules`` if it is to have one.
    public var identity: TLSIdentity? {
        get { storage?.values.identity }
        set { change { $0.identity = newValue } }
    }

    /// The oldest version to speak; 1.2 by default.
    ///
    /// What is older is broken, and not spoken at all (RFC 8996).
    public var minimumVersion: Version {
        get { storage?.values.minimumVersion ?? .tls12 }
        set { change { $0.minimumVersion = newValue } }
    }

    /// The newest version to speak; 1.3 by default.
    public var maximumVersion: Version {
        get { storage?.values.maximumVersion ?? .tls13 }
        set { change { $0.maximumVersion = newValue } }
    }

    /// The name to ask for and to verify in place of the URL's host; `nil`, the default, for the URL's.
    ///
    /// A redirect to another origin does not take it along.
    public var serverName: String? {
        get { storage?.values.serverName }
        set { change { $0.serverName = newValue } }
    }

    /// The user's own judge of certificates; `nil` by default.
    public var evaluation: TLSEvaluation? {
        get { storage?.values.evaluation }
        set { change { $0.evaluation = newValue } }
    }

    /// Other options for some hosts; none by default.
    ///
    /// The first whose pattern matches the host takes the place of these options as a whole.
    public var rules: [TLSRule] {
        get { storage?.values.rules ?? [] }
        set { change { $0.rules = newValue } }
    }

    private mutating func change(_ change: (inout Values) -> Void) {
        var values = storage?.values ?? Values()
        change(&values)
        storage = values == Values() ? nil : Storage(values)
    }

    /// The options that hold for a host, without rules of their own.
    ///
    /// - Parameter host: The name or address, in lower case, without the brackets of an IPv6 literal.
    /// - Returns: The options.
    /// - Throws: ``InvalidTLSOptions`` for what can be told without reading a file.
    package func resolved(for host: String) throws(InvalidTLSOptions) -> TLSOptions {
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

    /// The same options for a request that a server sent elsewhere: without what was meant for the first one alone.
    package var forAnotherOrigin: TLSOptions {
        guard identity != nil || serverName != nil else { return self }
        var options = self
        options.identity = nil
        options.serverName = nil
        return options
    }

    /// The same options for a proxy: without what is the server's alone.
    package var forProxy: TLSOptions {
        guard self != TLSOptions() else { return self }
        var options = forAnotherOrigin
        options.evaluation = nil
        options.pins.removeAll { $0.bindsServerAlone }
        return options
    }

    /// Whether both make connections alike.
    public static func == (left: TLSOptions, right: TLSOptions) -> Bool {
        if left.storage === right.storage { return true }
        // What is stored is never the default.
        guard let left = left.storage, let right = right.storage else { return false }
        return left.hash == right.hash && left.values == right.values
    }

    /// Feeds what `==` compares into a hasher.
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

        /// Whether one is older than another.
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

        /// What is wrong and can be told without reading a file.
        var fault: InvalidTLSOptions? {
            for pins in pins { if let fault = pins.fault { return fault } }
            for rule in rules where rule.pattern == nil {
                return InvalidTLSOptions(.hostPattern, "\(rule.host) is no pattern of hosts")
            }
            if minimumVersion > maximumVersion {
                return InvalidTLSOptions(.versions, "the oldest version of TLS to speak is newer than the newest")
            }
            if let serverName, HostPattern(serverName)?.isOneHost != true {
                return InvalidTLSOptions(.serverName, "the server name \(serverName) is none")
            }
            return nil
        }
    }

    /// Values that do not change, with what is worked out of them once.
    private final class Storage: Sendable {
        let values: Values
        let hash: Int
        let fault: InvalidTLSOptions?
        /// The same without rules; `nil` where that is the default.
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
