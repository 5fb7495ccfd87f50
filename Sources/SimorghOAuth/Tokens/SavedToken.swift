// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// A token in the format of a ``FileTokenStore`` and a ``KeychainTokenStore``.
struct SavedToken: Codable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case version, owner
        case accessToken = "access_token"
        case expiresAt = "expires_at"
        case refreshToken = "refresh_token"
    }

    /// The largest saved token, in bytes.
    static let maximumBytes = 512 * 1024
    /// The accepted dates: those of the years 1970 to 9999.
    private static let dates = 0.0...253_402_300_799.0

    /// The message of the error if ``encoded(_:owner:)`` returns `nil`.
    static let unwritable =
        "could not be written: the token is empty, too long, or expires before 1970 or after 9999"

    private var version = 1
    private let accessToken: String
    /// The seconds since 1970.
    private let expiresAt: Double?
    private let refreshToken: String?
    /// The name of the client to which the token was issued; `nil` if a program saved it without a client.
    private let owner: String?

    private init(_ token: AccessToken, owner: String?) {
        accessToken = token.value
        expiresAt = token.expiration?.timeIntervalSince1970
        refreshToken = token.refreshToken
        self.owner = owner
    }

    var token: AccessToken {
        AccessToken(
            accessToken, expiration: expiresAt.map { Date(timeIntervalSince1970: $0) }, refreshToken: refreshToken)
    }

    private var isValid: Bool {
        version == 1 && !accessToken.isEmpty && expiresAt.map(Self.dates.contains) ?? true
    }

    /// Decodes a token.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: The token; `nil` if a store did not write the bytes.
    static func decoded(_ bytes: Data) -> SavedToken? {
        guard bytes.count <= maximumBytes, let saved = try? JSONDecoder().decode(SavedToken.self, from: bytes),
            saved.isValid
        else { return nil }
        return saved
    }

    /// Encodes a token.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - owner: The name of the client; `nil` for any.
    /// - Returns: The bytes; `nil` if the token is one that ``decoded(_:)`` would refuse.
    static func encoded(_ token: AccessToken, owner: String?) -> Data? {
        let saved = SavedToken(token, owner: owner)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard saved.isValid, let data = try? encoder.encode(saved), data.count <= maximumBytes else { return nil }
        return data
    }

    /// Checks that the token was issued to a client.
    ///
    /// - Parameters:
    ///   - client: The name of the client; `nil` for any.
    ///   - place: The file or the item, for the error.
    /// - Returns: The token.
    /// - Throws: An error if the token was issued to another client, or by another server.
    func token(of client: String?, in place: String) throws(OAuthError) -> AccessToken {
        guard let client, let owner, owner != client else { return token }
        throw OAuthError(
            .signInRequired, message: "\(place) has the token of another server or client; sign in again")
    }
}
