// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension AWSCredentialsSource {
    /// Returns the source of a profile in the files that the AWS command line tools use.
    ///
    /// The credentials file is read first, then the configuration file. A profile that takes on a role, signs in by
    /// single sign-on or starts a program is an error, not an absence: another source would have other rights.
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
            let name = name ?? variables["AWS_PROFILE"] ?? "default"
            let home = variables["HOME"]
            let files = [
                (
                    credentialsFile ?? variables["AWS_SHARED_CREDENTIALS_FILE"]
                        ?? home.map { "\($0)/.aws/credentials" }, false
                ),
                (configurationFile ?? variables["AWS_CONFIG_FILE"] ?? home.map { "\($0)/.aws/config" }, true),
            ]
            var otherWay: AWSCredentialsError?
            for (path, isConfiguration) in files {
                guard let path, let text = try await AWSProfileFile.read(path) else { continue }
                guard
                    let profile = try AWSProfileFile.profile(
                        name, in: text, isConfiguration: isConfiguration, path: path)
                else { continue }
                do throws(AWSCredentialsError) {
                    return try AWSProfileFile.credentials(of: profile, name: name, path: path)
                } catch {
                    guard error.reason == .notFound || error.reason == .unsupported else { throw error }
                    if error.reason == .unsupported { otherWay = otherWay ?? error }
                }
            }
            throw otherWay
                ?? AWSCredentialsError(.notFound, "no file has credentials for the profile \(LogText.quoted(name))")
        }
    }
}

/// The format of the files with profiles: sections with `name = value` lines.
package enum AWSProfileFile {
    private static let maximumBytes = 1024 * 1024
    /// The settings of profiles that obtain credentials in another way.
    private static let otherWays = [
        "role_arn", "credential_process", "sso_session", "sso_start_url", "web_identity_token_file", "login_session",
    ]

    /// Reads a file; returns `nil` if it does not exist.
    static func read(_ path: String) async throws -> String? {
        let contents = try await FileQueue.run { () throws(AWSCredentialsError) in
            do throws(PrivateFile.FileError) {
                return try PrivateFile(path).read(upTo: maximumBytes)
            } catch {
                switch error {
                case .tooLarge: throw AWSCredentialsError(.unreadable, "\(path): the file is larger than 1 MiB")
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
        var found: [String: String]?
        var isInside = false
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            let trimmed = line.trimmed
            guard let first = trimmed.first, first != "#", first != ";" else { continue }
            if first == "[" {
                guard let end = trimmed.firstIndex(of: "]") else {
                    throw AWSCredentialsError(.malformed, "\(path), line \(index + 1): a section has no “]”")
                }
                let section = trimmed[..<end].dropFirst().split { $0 == " " || $0 == "\t" }.map(String.init)
                isInside =
                    section == [name] && (!isConfiguration || name == "default")
                    || isConfiguration && section == ["profile", name]
                if isInside, found == nil { found = [:] }
                continue
            }
            // An indented line belongs to a setting with several parts, none of which is a credential.
            guard isInside, line.first != " ", line.first != "\t" else { continue }
            guard let mark = trimmed.firstIndex(of: "=") else {
                throw AWSCredentialsError(.malformed, "\(path), line \(index + 1): a setting has no “=”")
            }
            let value = withoutComment(trimmed[mark...].dropFirst()).trimmed
            found?[trimmed[..<mark].trimmed.lowercased()] = String(value)
        }
        return found
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

    static func credentials(
        of profile: [String: String], name: String, path: String
    ) throws(AWSCredentialsError) -> AWSCredentials {
        let settings = profile.filter { !$0.value.isEmpty }
        guard let id = settings["aws_access_key_id"] else {
            if let way = otherWays.first(where: { settings[$0] != nil }) {
                throw AWSCredentialsError(
                    .unsupported, "\(path): the profile \(LogText.quoted(name)) uses \(way), which is not supported")
            }
            throw AWSCredentialsError(.notFound, "\(path): the profile \(LogText.quoted(name)) has no credentials")
        }
        guard let secret = settings["aws_secret_access_key"] else {
            throw AWSCredentialsError(
                .malformed, "\(path): the profile \(LogText.quoted(name)) has no aws_secret_access_key")
        }
        return AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: settings["aws_session_token"])
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
