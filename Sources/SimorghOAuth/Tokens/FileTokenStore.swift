// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghSupport

/// A token in a file that only its owner can read, which several processes can share.
///
/// ```swift
/// let store = FileTokenStore(path: "/var/lib/tour/token.json")
/// let token = oauth.refreshingToken(store: store)
/// ```
/// The file has mode 0600, and is replaced as a whole: a crash leaves the old token or the new one. A file that other
/// users can read or change is refused. Beside it is an empty file with the suffix `.lock`, which stays.
///
/// A program that can write the file or its folder can replace the token by one of another account, and a program that
/// can read it can use the token until it expires. The tokens are not encrypted.
public final class FileTokenStore: SharedTokenStore {
    /// The largest file, in bytes.
    package static let maximumBytes = 512 * 1024
    /// The time between two attempts to acquire the lock.
    private static let pause = Duration.milliseconds(25)

    /// The stores whose lock the current task holds.
    @TaskLocal private static var held: [ObjectIdentifier] = []

    private let file: PrivateFile
    private let longestWait: Duration
    private let time: TimeSource

    /// Creates a store; the file is created by the first save.
    ///
    /// - Parameters:
    ///   - path: The path of the file; its folder must exist.
    ///   - longestWait: The longest time to wait for another process. Default: 60 seconds, twice that of a refresh.
    ///   - time: The clock. Default: the system's.
    public init(path: String, longestWait: Duration = .seconds(60), time: TimeSource = .system) {
        file = PrivateFile(path)
        self.longestWait = longestWait
        self.time = time
    }

    /// Loads the token.
    ///
    /// - Returns: The token; `nil` if the file does not exist.
    /// - Throws: ``TokenFileError``.
    public func load() async throws -> AccessToken? {
        try await FileQueue.run { [file] () throws(TokenFileError) in try Self.token(in: file) }
    }

    /// Saves a token, and replaces the previous one.
    ///
    /// - Parameter token: The token.
    /// - Throws: ``TokenFileError``; the previous file is unchanged.
    public func save(_ token: AccessToken) async throws {
        try await withExclusiveAccess { [file] in
            try await FileQueue.run { () throws(TokenFileError) in try Self.write(token, to: file) }
        }
    }

    /// Removes the file.
    ///
    /// - Throws: ``TokenFileError``.
    public func clear() async throws {
        try await withExclusiveAccess { [file] in
            try await FileQueue.run { () throws(TokenFileError) in
                guard unlink(file.path) == 0 || errno == ENOENT else {
                    throw TokenFileError(.system(errno), path: file.path, isWriting: true)
                }
            }
        }
    }

    /// Runs work while no other process and no other store of this file runs such work.
    ///
    /// - Parameter work: The work, which can call the methods of this store.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work, or ``TokenFileError`` if another process has had access for too long.
    public func withExclusiveAccess<Value: Sendable>(
        _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        guard !Self.held.contains(ObjectIdentifier(self)) else { return try await work() }
        let lock = try await acquire()
        do {
            let value = try await Self.$held.withValue(Self.held + [ObjectIdentifier(self)]) { try await work() }
            await FileQueue.run { () throws(Never) in _ = lock.release() }
            return value
        } catch {
            await FileQueue.run { () throws(Never) in _ = lock.release() }
            throw error
        }
    }

    private func acquire() async throws -> FileLock {
        let path = file.path + ".lock"
        let deadline = time.deadline(after: longestWait)
        while true {
            do throws(FileLock.LockError) {
                return try await FileQueue.run { () throws(FileLock.LockError) in try FileLock(path) }
            } catch {
                switch error {
                case .held, .replaced:
                    guard deadline.remaining > .zero else {
                        throw TokenFileError(
                            .locked, path: file.path, message: "is in use by another process; try again")
                    }
                case .openFailed(let code), .lockFailed(let code):
                    throw TokenFileError(
                        .locked, path: file.path, message: "could not be locked: \(String(cString: strerror(code)))")
                }
            }
            try await time.sleep(for: Self.pause)
        }
    }

    private static func token(in file: PrivateFile) throws(TokenFileError) -> AccessToken? {
        let contents: PrivateFile.Contents?
        do throws(PrivateFile.FileError) {
            contents = try file.read(upTo: maximumBytes, refusesOthers: true)
        } catch {
            throw TokenFileError(error, path: file.path)
        }
        guard let contents else { return nil }
        guard !contents.isReadableByOthers else {
            throw TokenFileError(.exposed, path: file.path, message: "can be read by other users: use chmod 600")
        }
        guard let saved = try? JSONDecoder().decode(SavedToken.self, from: Data(contents.bytes)), saved.version == 1,
            !saved.accessToken.isEmpty, saved.expiresAt.map(SavedToken.dates.contains) ?? true
        else {
            throw TokenFileError(
                .damaged, path: file.path, message: "is not a file with a token; delete it, and sign in again")
        }
        return saved.token
    }

    private static func write(_ token: AccessToken, to file: PrivateFile) throws(TokenFileError) {
        file.sweep()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(SavedToken(token)), data.count <= maximumBytes else {
            throw TokenFileError(.unwritable, path: file.path, message: "could not be written: the token is too long")
        }
        do throws(PrivateFile.FileError) {
            try file.replace(with: data)
        } catch {
            throw TokenFileError(error, path: file.path, isWriting: true)
        }
    }
}

/// The format of the file.
private struct SavedToken: Codable {
    enum CodingKeys: String, CodingKey {
        case version
        case accessToken = "access_token"
        case expiresAt = "expires_at"
        case refreshToken = "refresh_token"
    }

    /// The accepted dates: those of the years 1970 to 9999.
    static let dates = 0.0...253_402_300_799.0

    var version = 1
    let accessToken: String
    /// The seconds since 1970.
    let expiresAt: Double?
    let refreshToken: String?

    init(_ token: AccessToken) {
        accessToken = token.value
        expiresAt = token.expiration?.timeIntervalSince1970
        refreshToken = token.refreshToken
    }

    var token: AccessToken {
        AccessToken(
            accessToken, expiration: expiresAt.map { Date(timeIntervalSince1970: $0) }, refreshToken: refreshToken)
    }
}

extension FileTokenStore: CustomStringConvertible {
    /// The path of the file.
    public var description: String { file.path }
}
