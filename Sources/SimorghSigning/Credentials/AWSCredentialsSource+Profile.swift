// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension AWSCredentialsSource {
    /// Returns the source of a profile in the files that the AWS command line tools use.
    ///
    /// The credentials file is read first, then the configuration file. A profile that takes on a role, signs in by
    /// single sign-on or starts a program is an error, not an absence, and so is a profile that is named but does not
    /// exist: another source would have other rights. A path may begin with `~/`.
    ///
    /// - Parameters:
    ///   - name: The name of the profile. Default: `AWS_PROFILE`, or `default`.
    ///   - credentialsFile: The path of the credentials file. Default: `AWS_SHARED_CREDENTIALS_FILE`, or
    ///     `~/.aws/credentials`.
    ///   - configurationFile: The path of the configuration file. Default: `AWS_CONFIG_FILE`, or `~/.aws/config`.
    /// - Returns: The source.
    public static func profile(
        _ name: String? = nil, credentialsFile: String? = nil, configurationFile: String? = nil
    ) -> AWSCredentialsSource {
        profile(name, credentialsFile: credentialsFile, configurationFile: configurationFile) {
            ProcessInfo.processInfo.environment
        }
    }

    package static func profile(
        _ name: String? = nil, credentialsFile: String? = nil, configurationFile: String? = nil,
        variables: @escaping @Sendable () -> [String: String]
    ) -> AWSCredentialsSource {
        AWSCredentialsSource {
            let variables = variables().filter { !$0.value.isEmpty }
            let given = name ?? variables["AWS_PROFILE"]
            let name = given ?? "default"
            let home = variables["HOME"]
            let files = [
                (
                    credentialsFile ?? variables["AWS_SHARED_CREDENTIALS_FILE"]
                        ?? home.map { "\($0)/.aws/credentials" }, false
                ),
                (configurationFile ?? variables["AWS_CONFIG_FILE"] ?? home.map { "\($0)/.aws/config" }, true),
            ]
            var profiles: [AWSProfile] = []
            for (path, isConfiguration) in files {
                let path = path.map { AWSProfileFile.expanded($0, home: home) }
                guard let path, let text = try await AWSProfileFile.read(path),
                    let settings = try AWSProfileFile.profile(
                        name, in: text, isConfiguration: isConfiguration, path: path)
                else { continue }
                profiles.append(
                    AWSProfile(name: name, settings: settings, isConfiguration: isConfiguration, path: path))
            }
            guard given == nil || !profiles.isEmpty else {
                throw AWSCredentialsError(.malformed, "no file has the profile \(LogText.quoted(name))")
            }
            return try AWSProfile.credentials(profiles, name: name)
        }
    }
}

/// A profile in one file.
struct AWSProfile {
    /// The settings of a profile whose credentials are those of a role or a sign-in, even if it has keys.
    private static let unsupportedSettings = [
        "role_arn", "sso_session", "sso_start_url", "web_identity_token_file", "login_session",
    ]

    let name: String
    let settings: [String: String]
    let isConfiguration: Bool
    let path: String

    init(name: String, settings: [String: String], isConfiguration: Bool, path: String) {
        self.name = name
        self.settings = settings.filter { !$0.value.isEmpty }
        self.isConfiguration = isConfiguration
        self.path = path
    }

    /// Returns the credentials of a profile in several files.
    ///
    /// The keys of a role are those of another profile, so a role in one file counts more than keys in another one.
    static func credentials(_ profiles: [AWSProfile], name: String) throws(AWSCredentialsError) -> AWSCredentials {
        for profile in profiles {
            try profile.refuse(unsupportedSettings)
        }
        for profile in profiles {
            if let id = profile.settings["aws_access_key_id"] {
                // The tools of AWS run a program rather than use the keys of the configuration file.
                if profile.isConfiguration { try profile.refuse(["credential_process"]) }
                return try profile.credentials(id)
            }
        }
        for profile in profiles { try profile.refuse(["credential_process"]) }
        throw AWSCredentialsError(.notFound, "no file has credentials for the profile \(LogText.quoted(name))")
    }

    private func refuse(_ names: [String]) throws(AWSCredentialsError) {
        guard let found = names.first(where: { settings[$0] != nil }) else { return }
        throw AWSCredentialsError(
            .unsupported, "\(path): the profile \(LogText.quoted(name)) uses \(found), which is not supported")
    }

    private func credentials(_ id: String) throws(AWSCredentialsError) -> AWSCredentials {
        guard let secret = settings["aws_secret_access_key"] else {
            throw AWSCredentialsError(
                .malformed, "\(path): the profile \(LogText.quoted(name)) has no aws_secret_access_key")
        }
        return AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: settings["aws_session_token"])
    }
}

/// The format of the files with profiles: sections with `name = value` lines.
package enum AWSProfileFile {
    private static let maximumBytes = 1024 * 1024

    /// Returns a path with the home folder in place of `~`.
    static func expanded(_ path: String, home: String?) -> String {
        guard path.hasPrefix("~/"), let home else { return path }
        return home + path.dropFirst()
    }

    /// Reads a file; returns `nil` if it does not exist.
    static func read(_ path: String) async throws -> String? {
        let contents = try await FileQueue.run { () throws(AWSCredentialsError) -> PrivateFile.Contents? in
            do throws(PrivateFile.FileError) {
                return try PrivateFile(path).read(upTo: maximumBytes)
            } catch {
                switch error {
                case .tooLarge: throw AWSCredentialsError(.unreadable, "\(path): the file is larger than 1 MiB")
                // A part of the path is not a folder, such as the home /dev/null of a service.
                case .system(ENOTDIR): return nil
                case .system(let code):
                    throw AWSCredentialsError(
                        .unreadable, "\(path): could not be read: \(String(cString: strerror(code)))")
                default: throw AWSCredentialsError(.unreadable, "\(path): is not a regular file")
                }
            }
        }
        return contents.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Returns the settings of a profile, with names in lowercase; `nil` if the file does not have it.
    ///
    /// Of the two sections `[default]` and `[profile default]` of a configuration file, the second one counts.
    ///
    /// - Parameters:
    ///   - name: The name of the profile.
    ///   - text: The text of the file.
    ///   - isConfiguration: True if sections other than `default` begin with `profile`.
    ///   - path: The path of the file, for errors.
    /// - Returns: The settings; of a setting that is repeated, the last one.
    /// - Throws: ``AWSCredentialsError`` with the number of the line.
    package static func profile(
        _ name: String, in text: String, isConfiguration: Bool, path: String
    ) throws -> [String: String]? {
        var found: [Section: [String: String]] = [:]
        var section = Section.other
        let isMarked = text.unicodeScalars.first == "\u{FEFF}"
        let text = isMarked ? Substring(text.unicodeScalars.dropFirst()) : text[...]
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        for (index, line) in lines.enumerated() {
            let trimmed = line.trimmed
            guard let first = trimmed.first, first != "#", first != ";" else { continue }
            if first == "[" {
                guard let end = trimmed.firstIndex(of: "]") else {
                    throw AWSCredentialsError(.malformed, "\(path), line \(index + 1): a section has no “]”")
                }
                let rest = trimmed[end...].dropFirst().trimmed
                guard rest.isEmpty || rest.first == "#" || rest.first == ";" else {
                    throw AWSCredentialsError(.malformed, "\(path), line \(index + 1): a section has text after “]”")
                }
                section = Section(trimmed[..<end].dropFirst().trimmed, of: name, isConfiguration: isConfiguration)
                if found[section] == nil { found[section] = [:] }
                continue
            }
            // An indented line belongs to a setting with several parts, none of which is a credential.
            guard section != .other, line.first != " ", line.first != "\t" else { continue }
            guard let mark = trimmed.firstIndex(where: { $0 == "=" || $0 == ":" }) else {
                throw AWSCredentialsError(.malformed, "\(path), line \(index + 1): a setting has no “=”")
            }
            let value = withoutComment(trimmed[mark...].dropFirst()).trimmed
            found[section]?[trimmed[..<mark].trimmed.lowercased()] = String(value)
        }
        return found[.profile] ?? found[.plain]
    }

    /// The kind of a section.
    private enum Section {
        /// The profile by its name alone.
        case plain
        /// The profile by the word `profile` and its name.
        case profile
        /// Another profile.
        case other

        init(_ text: Substring, of name: String, isConfiguration: Bool) {
            self = .other
            guard isConfiguration else {
                if text == name { self = .plain }
                return
            }
            if name == "default", text == name { self = .plain }
            guard text.hasPrefix("profile"), let space = text.dropFirst("profile".count).first, space.isWhitespace
            else { return }
            var quoted = text.dropFirst("profile".count).trimmed
            if let quote = quoted.first, quote == "\"" || quote == "'", quoted.count >= 2, quoted.last == quote {
                quoted = quoted.dropFirst().dropLast()
            }
            if quoted == name { self = .profile }
        }
    }

    /// Returns a value up to a comment, which begins with white space and `#` or `;`.
    private static func withoutComment(_ text: Substring) -> Substring {
        var isAfterSpace = false
        for index in text.indices {
            let character = text[index]
            if isAfterSpace, character == "#" || character == ";" { return text[..<index] }
            isAfterSpace = character == " " || character == "\t"
        }
        return text
    }
}

extension Substring {
    /// The text without white space around it.
    fileprivate var trimmed: Substring {
        var text = self
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}
