// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Configuration
public import Configuration
public import SimorghCore
import SimorghSupport

extension APIClient.Configuration {
    /// Creates a configuration from the values of a reader; settings without a value have their defaults.
    ///
    /// ```swift
    /// import Configuration
    ///
    /// let reader = ConfigReader(provider: EnvironmentVariablesProvider())
    /// let configuration = try APIClient.Configuration(reader: reader.scoped(to: "http"))
    /// let client = APIClient(configuration: configuration)
    /// ```
    /// Times are whole milliseconds. A timeout of 0 means no limit. `EnvironmentVariablesProvider` splits arrays at
    /// commas; a header field with a comma in its value needs `EnvironmentVariablesProvider(arraySeparator: ";")`.
    ///
    /// | key | type | setting |
    /// |---|---|---|
    /// | `baseURL` | string, secret | ``/SimorghCore/APIClient/Configuration/baseURL`` |
    /// | `userAgent` | string, empty for none | ``/SimorghCore/APIClient/Configuration/userAgent`` |
    /// | `headers` | string array of `Name: value`, secret | added to ``/SimorghCore/APIClient/Configuration/headers`` |
    /// | `requestIDHeader` | string | ``/SimorghCore/APIClient/Configuration/requestIDHeader`` |
    /// | `timeouts.queueMs`, `timeouts.connectMs`, `timeouts.tlsMs`, `timeouts.headMs`, `timeouts.idleMs`, `timeouts.totalMs` | int | ``/SimorghCore/APIClient/Configuration/timeouts`` |
    /// | `limits.headBytes`, `limits.headerFields` | int, 1 or more | ``/SimorghCore/APIClient/Configuration/limits`` |
    /// | `maximumCollectedBytes` | int, 1 or more | ``/SimorghCore/APIClient/Configuration/maximumCollectedBytes`` |
    /// | `maximumErrorBodyBytes` | int | ``/SimorghCore/APIClient/Configuration/maximumErrorBodyBytes`` |
    /// | `httpVersion` | `automatic`, `http1Only`, `http2Only`, `http2PriorKnowledge` or `http3` | ``/SimorghCore/APIClient/Configuration/httpVersion`` |
    /// | `decompresses` | bool | ``/SimorghCore/APIClient/Configuration/decompresses`` |
    /// | `redirects.limit` | int, 0 to follow none | ``/SimorghCore/APIClient/Configuration/redirects`` |
    /// | `retry.maximumRetries` | int, 0 for no retries | ``/SimorghCore/APIClient/Configuration/retry`` |
    /// | `retry.baseDelayMs`, `retry.maximumDelayMs` | int | the waits of that policy, which must exist |
    /// | `proxy.url` | string, secret: a URL with its scheme, `none`, `system` or `environment` | the proxy of ``/SimorghCore/APIClient/Configuration/route`` |
    /// | `proxy.bypass` | string | the hosts that are reached without that proxy |
    /// | `tls.minimumVersion` | `1.2` or `1.3` | the oldest version of ``/SimorghCore/APIClient/Configuration/tls`` |
    /// | `tls.rootFiles` | string array | files with root certificates in PEM to trust besides the system's |
    /// | `access.allowsCellular`, `access.allowsExpensive`, `access.allowsConstrained` | bool | ``/SimorghCore/APIClient/Configuration/access`` |
    /// | `authentication.bearerToken` | string, secret | ``/SimorghCore/APIClient/Configuration/authentication`` |
    /// | `authentication.username` | string | the same, with `authentication.password` |
    /// | `authentication.password` | string, secret | the same |
    /// | `resilience.coalescesRequests` | bool | ``/SimorghCore/APIClient/Configuration/resilience`` |
    /// | `logging.level` | `none`, `failures`, `minimal`, `standard` or `verbose` | the level of ``/SimorghCore/APIClient/Configuration/logging`` |
    ///
    /// - Parameter reader: The reader; its scope is the prefix of the keys.
    /// - Throws: ``ClientConfigurationError`` for the first value that is invalid.
    public init(reader: ConfigReader) throws {
        self.init()
        try update(from: reader)
    }

    /// Changes the settings that have a value in a reader; the others stay.
    ///
    /// - Parameter reader: The reader, with the keys of `init(reader:)`.
    /// - Throws: ``ClientConfigurationError`` for the first value that is invalid; nothing is changed then.
    public mutating func update(from reader: ConfigReader) throws { try update(from: reader.snapshot()) }

    /// Changes the settings that have a value in a snapshot; the others stay.
    ///
    /// - Parameter snapshot: The snapshot, with the keys of `init(reader:)`.
    /// - Throws: ``ClientConfigurationError`` for the first value that is invalid; nothing is changed then.
    public mutating func update(from snapshot: ConfigSnapshotReader) throws {
        _ = try read(snapshot)
    }

    /// Changes the settings that have a value in a snapshot.
    ///
    /// - Returns: The names of these settings, for ``copy(_:from:)``.
    mutating func read(_ snapshot: ConfigSnapshotReader) throws(ClientConfigurationError) -> Set<String> {
        let reader = SettingsReader(snapshot: snapshot)
        var changed = self
        try changed.apply(reader)
        self = changed
        return reader.settings
    }

    /// Copies settings that a reader can change.
    ///
    /// - Parameters:
    ///   - settings: The first components of their keys.
    ///   - other: The configuration to copy from.
    mutating func copy(_ settings: Set<String>, from other: APIClient.Configuration) {
        for setting in settings {
            switch setting {
            case "baseURL": baseURL = other.baseURL
            case "userAgent": userAgent = other.userAgent
            case "headers": headers = other.headers
            case "requestIDHeader": requestIDHeader = other.requestIDHeader
            case "timeouts": timeouts = other.timeouts
            case "limits": limits = other.limits
            case "maximumCollectedBytes": maximumCollectedBytes = other.maximumCollectedBytes
            case "maximumErrorBodyBytes": maximumErrorBodyBytes = other.maximumErrorBodyBytes
            case "httpVersion": httpVersion = other.httpVersion
            case "decompresses": decompresses = other.decompresses
            case "redirects": redirects = other.redirects
            case "retry": retry = other.retry
            case "proxy": route.proxy = other.route.proxy
            case "tls": (tls.minimumVersion, tls.trust) = (other.tls.minimumVersion, other.tls.trust)
            case "access": access = other.access
            case "authentication": authentication = other.authentication
            case "resilience": resilience.coalescesRequests = other.resilience.coalescesRequests
            case "logging": logging.level = other.logging.level
            default: assertionFailure("the setting \(setting) is not copied")
            }
        }
    }

    private mutating func apply(_ reader: SettingsReader) throws(ClientConfigurationError) {
        try applyRequestSettings(reader)
        try applyLimits(reader)
        try applyConnectionSettings(reader)
        try applyPolicies(reader)
        try applyAuthentication(reader)
    }

    private mutating func applyRequestSettings(_ reader: SettingsReader) throws(ClientConfigurationError) {
        if let url = try reader.text("baseURL", isSecret: true) {
            do {
                _ = try BaseURL(url)
            } catch {
                throw ClientConfigurationError(key: "baseURL", message: error.message)
            }
            baseURL = url
        }
        if let agent = try reader.text("userAgent") {
            guard (try? HeaderRules.field(name: "User-Agent", value: agent)) != nil else {
                throw ClientConfigurationError(key: "userAgent", message: "the value is not valid in a header field")
            }
            userAgent = agent.isEmpty ? nil : agent
        }
        if let name = try reader.text("requestIDHeader") {
            guard name.isEmpty || (try? HeaderRules.field(name: name, value: "")) != nil else {
                throw ClientConfigurationError(
                    key: "requestIDHeader", message: "the value is not a valid name of a header field")
            }
            requestIDHeader = name.isEmpty ? nil : name
        }
        for entry in try reader.texts("headers", isSecret: true) ?? [] {
            guard let colon = entry.firstIndex(of: ":") else {
                throw ClientConfigurationError(key: "headers", message: "an entry has no colon after the name")
            }
            let name = String(entry[..<colon])
            let value = String(entry[entry.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
            guard (try? HeaderRules.field(name: name, value: value)) != nil else {
                throw ClientConfigurationError(key: "headers", message: "an entry is not a valid header field")
            }
            // The keys of the dictionary are case-sensitive, and header fields are not.
            for other in headers.keys where other.lowercased() == name.lowercased() { headers[other] = nil }
            headers[name] = value
        }
    }

    private mutating func applyLimits(_ reader: SettingsReader) throws(ClientConfigurationError) {
        let phases: [(String, WritableKeyPath<Timeouts, Duration?>)] = [
            ("queue", \.queue), ("connect", \.connect), ("tls", \.tls), ("head", \.head), ("idle", \.idle),
            ("total", \.total),
        ]
        for (name, phase) in phases {
            guard let limit = try reader.duration("timeouts.\(name)Ms") else { continue }
            timeouts[keyPath: phase] = limit == .zero ? nil : limit
        }
        if let count = try reader.positiveNumber("limits.headBytes") { limits.headBytes = count }
        if let count = try reader.positiveNumber("limits.headerFields") { limits.headerFields = count }
        if let count = try reader.positiveNumber("maximumCollectedBytes") { maximumCollectedBytes = count }
        if let count = try reader.number("maximumErrorBodyBytes") { maximumErrorBodyBytes = count }
    }

    private mutating func applyConnectionSettings(_ reader: SettingsReader) throws(ClientConfigurationError) {
        let versions = TransportOptions.HTTPVersion.allCases.map { (name: "\($0)", value: $0) }
        if let version = try reader.choice("httpVersion", of: versions) { httpVersion = version }
        if let isOn = try reader.flag("decompresses") { decompresses = isOn }
        let bypass = try reader.text("proxy.bypass")
        switch try reader.text("proxy.url", isSecret: true) {
        case "none": route.proxy = .none
        case "system": route.proxy = .system
        case "environment": route.proxy = .environment
        case let url?:
            let proxy = ProxyOptions.url(url, bypass: bypass ?? "")
            // Without a scheme a misspelled keyword would be the name of a host. The description of the error may
            // contain the password.
            guard url.contains("://"), (try? Proxy(url)) != nil else {
                throw ClientConfigurationError(
                    key: "proxy.url", message: "the value is not a URL with a scheme, none, system or environment")
            }
            route.proxy = proxy
        case nil:
            guard bypass == nil else {
                throw ClientConfigurationError(key: "proxy.bypass", message: "there is no proxy.url")
            }
        }
        let tlsVersions: [(name: String, value: TLSOptions.Version)] = [("1.2", .tls12), ("1.3", .tls13)]
        if let version = try reader.choice("tls.minimumVersion", of: tlsVersions) { tls.minimumVersion = version }
        if let files = try reader.texts("tls.rootFiles"), !files.isEmpty {
            for (index, file) in files.enumerated() where !Self.hasCertificates(file) {
                throw ClientConfigurationError(
                    key: "tls.rootFiles", message: "file \(index + 1) of the list cannot be read as certificates in PEM"
                )
            }
            tls.trust = .systemAnd(files.map { .file($0) })
        }
        if let isOn = try reader.flag("access.allowsCellular") { access.allowsCellular = isOn }
        if let isOn = try reader.flag("access.allowsExpensive") { access.allowsExpensive = isOn }
        if let isOn = try reader.flag("access.allowsConstrained") { access.allowsConstrained = isOn }
    }

    /// Returns true if a file has certificates in PEM, and at most 4 MiB.
    private static func hasCertificates(_ file: String) -> Bool {
        let limit = 4 * 1024 * 1024
        guard let bytes = FileBytes.prefix(of: file, upTo: limit + 1), bytes.count <= limit else { return false }
        return PEMCertificates.certificates(in: bytes) != nil
    }

    private mutating func applyPolicies(_ reader: SettingsReader) throws(ClientConfigurationError) {
        if let limit = try reader.number("redirects.limit") {
            if limit == 0 {
                redirects = .none
            } else {
                if !redirects.follows { redirects = .follow }
                redirects.limit = limit
            }
        }
        let maximum = try reader.number("retry.maximumRetries")
        let (base, longest) = (try reader.duration("retry.baseDelayMs"), try reader.duration("retry.maximumDelayMs"))
        if maximum == 0 {
            retry = nil
        } else if maximum != nil || base != nil || longest != nil {
            guard maximum != nil || retry != nil else {
                throw ClientConfigurationError(
                    key: base == nil ? "retry.maximumDelayMs" : "retry.baseDelayMs",
                    message: "there are no retries: set retry.maximumRetries")
            }
            var policy = retry ?? RetryPolicy()
            if let maximum { policy.maximumRetries = maximum }
            if let base { policy.baseDelay = base }
            if let longest { policy.maximumDelay = longest }
            retry = policy
        }
        if let isOn = try reader.flag("resilience.coalescesRequests") { resilience.coalescesRequests = isOn }
        let levels = LogLevel.allCases.map { (name: "\($0)", value: $0) }
        if let level = try reader.choice("logging.level", of: levels) { logging.level = level }
    }

    private mutating func applyAuthentication(_ reader: SettingsReader) throws(ClientConfigurationError) {
        let token = try reader.text("authentication.bearerToken", isSecret: true)
        let username = try reader.text("authentication.username")
        let password = try reader.text("authentication.password", isSecret: true)
        switch (token, username, password) {
        case (nil, nil, nil): return
        case (let token?, nil, nil):
            guard (try? HeaderRules.bearer(token)) != nil else {
                throw ClientConfigurationError(
                    key: "authentication.bearerToken",
                    message: "the token is empty, or holds a line break or another control character")
            }
            authentication = .bearer(token)
        case (nil, let username?, let password?):
            try Self.checkCredential(username, forKey: "authentication.username")
            try Self.checkCredential(password, forKey: "authentication.password")
            guard !username.utf8.contains(UInt8(ascii: ":")) else {
                throw ClientConfigurationError(
                    key: "authentication.username", message: "the user name holds a colon, which Basic cannot carry")
            }
            authentication = .basic(username: username, password: password)
        case (_?, _, _):
            throw ClientConfigurationError(
                key: "authentication.bearerToken", message: "there is also a user name or a password")
        case (nil, _, nil):
            throw ClientConfigurationError(key: "authentication.password", message: "there is only a user name")
        case (nil, nil, _):
            throw ClientConfigurationError(key: "authentication.username", message: "there is only a password")
        }
    }

    private static func checkCredential(_ value: String, forKey key: String) throws(ClientConfigurationError) {
        guard (try? HeaderRules.check(value: value, of: "Authorization")) != nil else {
            throw ClientConfigurationError(
                key: key, message: "the value holds a line break or another control character")
        }
    }
}
#endif
