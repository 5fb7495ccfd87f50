// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Where uploads that are not finished are written down, so that another process can go on with them.
///
/// The default is ``FileUploadStore``. An upload is written down when the server has made a place for it, and struck off
/// when it is complete, terminated, or begun anew.
public protocol UploadStore: Sendable {
    /// What is written down of an upload.
    ///
    /// - Parameter key: Names the upload.
    /// - Returns: The record; `nil` where there is none.
    /// - Throws: Anything; the upload fails with it.
    func record(for key: String) async throws -> UploadRecord?

    /// Writes an upload down, in place of what was there.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - key: Names the upload.
    /// - Throws: Anything; the upload fails with it.
    func save(_ record: UploadRecord, for key: String) async throws

    /// Strikes an upload off; one that is not there is no error.
    ///
    /// - Parameter key: Names the upload.
    /// - Throws: Anything; the upload fails with it.
    func remove(_ key: String) async throws
}

/// What must be known of an upload to go on with it.
public struct UploadRecord: Sendable, Hashable, Codable {
    /// Where the server keeps what it has: whoever knows this may go on with the upload.
    public var url: String
    /// The file that it was begun with.
    public var file: FileIdentity

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - url: Where the server keeps what it has.
    ///   - file: The file that it was begun with.
    public init(url: String, file: FileIdentity) {
        self.url = url
        self.file = file
    }
}
