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
/// The file holds one token: a program with several users or servers needs a file for each.
///
/// A token that ``OAuthClient/refreshingToken(from:store:leeway:onSaveFailure:)`` saves belongs to that client: another
/// client, or one of another server, refuses it with ``OAuthError/Reason-swift.enum/signInRequired``.
///
/// A program that can write the file or its folder can replace the token by one of another account, and a program that
/// can read it can use the token until it expires. The tokens are not encrypted. The key of a ``DPoPKey`` is not saved:
/// a bound token, and its refresh token, need the same key after a restart
/// (``DPoPKey/rawRepresentation``). On NFS, `flock` excludes other hosts only if the mount supports locks.
public final class FileTokenStore: SharedTokenStore {
    private let file: PrivateFile
    private let lock: TokenLock
    /// The name of the client whose tokens are accepted; `nil` for any.
    private let owner: String?

    /// Creates a store; the file is created by the first save.
    ///
    /// - Parameters:
    ///   - path: The path of the file; its folder must exist.
    ///   - longestWait: The longest time to wait for another process. Default: 60 seconds; a process has exclusive access
    ///     for at most 45 seconds, unless its disk is slow. Waiting processes have no order: while the server cannot be
    ///     reached, one that waits behind several others can get ``TokenFileError/Reason-swift.enum/locked`` instead of
    ///     ``OAuthError/Reason-swift.enum/unreachable``.
    ///   - time: The clock. Default: the system's.
    public convenience init(path: String, longestWait: Duration = .seconds(60), time: TimeSource = .system) {
        self.init(
            PrivateFile(path), lock: TokenLock(path: path + ".lock", longestWait: longestWait, time: time), owner: nil)
    }

    private init(_ file: PrivateFile, lock: TokenLock, owner: String?) {
        self.file = file
        self.lock = lock
        self.owner = owner
    }

    /// Loads the token.
    ///
    /// - Returns: The token; `nil` if the file does not exist.
    /// - Throws: ``TokenFileError``; within a client's token, ``OAuthError`` if the file has the token of another client.
    public func load() async throws -> AccessToken? {
        let saved = try await FileQueue.run { [file] () throws(TokenFileError) in try Self.token(in: file) }
        return try saved?.token(of: owner, in: file.path)
    }

    /// Saves a token, and replaces the previous one.
    ///
    /// - Parameter token: The token.
    /// - Throws: ``TokenFileError``; the previous file is unchanged.
    public func save(_ token: AccessToken) async throws {
        try await withExclusiveAccess { [file, owner] in
            try await FileQueue.run { () throws(TokenFileError) in try Self.write(token, owner: owner, to: file) }
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
        let path = file.path
        return try await lock.run(orThrow: { TokenFileError(.locked, path: path, message: $0) }, work)
    }

    private static func token(in file: PrivateFile) throws(TokenFileError) -> SavedToken? {
        let contents: PrivateFile.Contents?
        do throws(PrivateFile.FileError) {
            contents = try file.read(upTo: SavedToken.maximumBytes, refusesOthers: true)
        } catch {
            throw TokenFileError(error, path: file.path)
        }
        guard let contents else { return nil }
        guard !contents.isReadableByOthers else {
            throw TokenFileError(.exposed, path: file.path, message: "can be read by other users: use chmod 600")
        }
        guard let saved = SavedToken.decoded(Data(contents.bytes)) else {
            throw TokenFileError(
                .damaged, path: file.path, message: "is not a file with a token; delete it, and sign in again")
        }
        return saved
    }

    private static func write(
        _ token: AccessToken, owner: String?, to file: PrivateFile
    ) throws(TokenFileError) {
        file.sweep()
        guard let data = SavedToken.encoded(token, owner: owner) else {
            throw TokenFileError(.unwritable, path: file.path, message: SavedToken.unwritable)
        }
        do throws(PrivateFile.FileError) {
            try file.replace(with: data)
        } catch {
            throw TokenFileError(error, path: file.path, isWriting: true)
        }
    }
}

extension FileTokenStore: OwnedTokenStore {
    package func owned(by owner: String) -> any SharedTokenStore { FileTokenStore(file, lock: lock, owner: owner) }
}

extension FileTokenStore: CustomStringConvertible {
    /// The path of the file.
    public var description: String { file.path }
}
