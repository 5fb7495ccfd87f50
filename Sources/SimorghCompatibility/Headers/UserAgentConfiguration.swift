// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// The components of the `User-Agent` header.
public struct UserAgentConfiguration: Sendable, Hashable {
    /// The program's name.
    ///
    /// Default: the process name.
    public var appName: String
    /// The program's version.
    ///
    /// Default: `1.0`.
    public var appVersion: String
    /// The program's identifier.
    ///
    /// Default: the process name.
    public var bundleIdentifier: String
    /// The number of the program's build.
    ///
    /// Default: `1`.
    public var buildNumber: String
    /// The operating system's version.
    ///
    /// Default: that of this system.
    public var osVersion: String
    /// The version of this library.
    ///
    /// Default: the present one.
    public var networkVersion: String

    /// Creates a configuration; values that are `nil` are taken from the process and the operating system.
    ///
    /// - Parameters:
    ///   - appName: The program's name. Default: the process name.
    ///   - appVersion: The program's version. Default: `1.0`.
    ///   - bundleIdentifier: The program's identifier. Default: the process name.
    ///   - buildNumber: The number of the program's build. Default: `1`.
    ///   - osVersion: The operating system's version. Default: that of this system.
    ///   - networkVersion: The version of this library. Default: the present one.
    public init(
        appName: String? = nil,
        appVersion: String? = nil,
        bundleIdentifier: String? = nil,
        buildNumber: String? = nil,
        osVersion: String? = nil,
        networkVersion: String? = nil
    ) {
        self.appName = appName ?? Platform.programName
        self.appVersion = appVersion ?? "1.0"
        self.bundleIdentifier = bundleIdentifier ?? Platform.programName
        self.buildNumber = buildNumber ?? "1"
        self.osVersion = osVersion ?? Platform.version
        self.networkVersion = networkVersion ?? SimorghVersion.current
    }

    /// Returns the header's value: `AppName/Version (BundleID; build:BuildNumber; Platform OSVersion) Simorgh/Version`.
    ///
    /// - Returns: The value. Characters that are not allowed are replaced by hyphens.
    public func generateUserAgentString() -> String {
        let app = "\(Self.clean(appName))/\(Self.clean(appVersion))"
        let system = "\(Platform.name) \(Self.clean(osVersion))"
        let comment = "\(Self.clean(bundleIdentifier)); build:\(Self.clean(buildNumber)); \(system)"
        return "\(app) (\(comment)) Simorgh/\(Self.clean(networkVersion))"
    }

    private static let allowed = ByteSet.letters.union(.digits).union(ByteSet(" !#$%&'*+-.^_`|~:,@="))

    private static func clean(_ text: String) -> String {
        guard !text.isEmpty, !text.utf8.allSatisfy(allowed.contains) else { return text.isEmpty ? "-" : text }
        return String(decoding: text.utf8.map { allowed.contains($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
    }
}

extension APIClient.Configuration {
    private enum UserAgentKey: UserInfo.Key { static let defaultValue: UserAgentConfiguration? = nil }

    /// The components of ``/SimorghCore/APIClient/Configuration/userAgent``.
    ///
    /// Setting this property sets `userAgent`. Default: `nil`, which restores the library's own value.
    public var userAgentConfiguration: UserAgentConfiguration? {
        get { compatibility[UserAgentKey.self] }
        set {
            compatibility[UserAgentKey.self] = newValue
            userAgent = newValue?.generateUserAgentString() ?? APIClient.Configuration().userAgent
        }
    }
}
