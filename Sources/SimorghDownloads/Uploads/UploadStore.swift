// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A store of unfinished uploads, so that another process can resume them.
///
/// The default is ``FileUploadStore``. A record is saved when the server has created the upload resource, and removed
/// when the upload is complete, terminated, or started again.
public protocol UploadStore: Sendable {
    /// Returns the record of an upload.
    ///
    /// - Parameter key: The key of the upload.
    /// - Returns: The record; `nil` if it does not exist.
    /// - Throws: Any error; the upload fails with it.
    func record(for key: String) async throws -> UploadRecord?

    /// Saves the record of an upload and replaces an earlier one.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - key: The key of the upload.
    /// - Throws: Any error; the upload fails with it.
    func save(_ record: UploadRecord, for key: String) async throws

    /// Removes the record of an upload. Does nothing if it does not exist.
    ///
    /// - Parameter key: The key of the upload.
    /// - Throws: Any error; the upload fails with it.
    func remove(_ key: String) async throws
}

/// The state that is necessary to resume an upload.
public struct UploadRecord: Sendable, Hashable, Codable {
    /// The URL of the upload on the server.
    ///
    /// With this URL any client may be able to continue the upload.
    public var url: String
    /// The identity of the file that the upload started with.
    public var file: FileIdentity

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - url: The URL of the upload on the server.
    ///   - file: The identity of the file that the upload started with.
    public init(url: String, file: FileIdentity) {
        self.url = url
        self.file = file
    }
}
