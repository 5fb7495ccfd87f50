// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// The reason a download was rejected or failed.
@nonexhaustive
public enum DownloadError: Error, Sendable, Hashable {
    /// The same file is being downloaded to the same destination already.
    case alreadyQueued(URL)
    /// The disk has less free space than the file and the reserve need, in bytes.
    case insufficientDiskSpace(required: Int64, available: Int64)
    /// There is no download with this identifier.
    case taskNotFound(UUID)
    /// The queue is full: `limit` downloads are waiting already.
    case queueFull(limit: Int)
    /// The URL is not an http or https URL, or it contains user info (put credentials in a header field instead).
    case invalidURL(String)
    /// The request cannot be sent, for example because the host name is invalid; the message says why.
    case invalidRequest(String)
    /// The folder is in use by another process, or by another manager of this process.
    case directoryInUse(String)
    /// The server responded with this error status.
    case httpStatus(Int)
    /// The server responded with a status that has no content: 204 or 205.
    case emptyResponse(Int)
    /// The file changed on the server during the download, more than once.
    case entityChanged(String)
    /// The downloaded file does not have the expected hash; it was set aside.
    case digestMismatch(expected: DownloadDigest, found: DownloadDigest)
    /// The file does not have the expected length.
    case sizeMismatch(expected: Int64, found: Int64)
    /// The network failed, and all retries were used.
    case transport(TransportError.Code, String)
    /// The transfer was slower than ``DownloadManagerConfig/lowSpeed``.
    case tooSlow
    /// A file exists at the destination, and ``DownloadRequest/collision`` does not allow that.
    case fileExists(String)
    /// A file could not be read or written; the message says why.
    case file(String)
    /// The body could not be decoded from its content coding.
    case encoding(String)
    /// The caller cancelled the download.
    case cancelled
}

extension DownloadError: CustomStringConvertible {
    /// A sentence that describes the error.
    public var description: String {
        switch self {
        case .alreadyQueued(let url): "\(Self.shown(url.absoluteString)) is being downloaded already"
        case .insufficientDiskSpace(let required, let available):
            """
            the disk or quota is full: at least \(required) \(required == 1 ? "byte is" : "bytes are") needed, \
            \(available) are reported free; free space or choose another folder
            """
        case .taskNotFound(let id): "there is no download \(id)"
        case .queueFull(let limit): "the download queue is full: \(limit) downloads are waiting"
        case .invalidURL(let url): "\(Self.shown(url)) is not an http or https URL, or it contains a user name"
        case .directoryInUse(let path): "\(path) is in use by another download manager"
        case .httpStatus(let status): "the server answered \(status)"
        case .emptyResponse(let status): "the server answered \(status), which has no content"
        case .entityChanged(let reason): "the file changed on the server: \(reason)"
        case .digestMismatch(let expected, let found): "the file's hash is \(found) and should be \(expected)"
        case .sizeMismatch(let expected, let found): "the file has \(found) bytes and should have \(expected)"
        case .transport(_, let message), .invalidRequest(let message): message
        case .tooSlow: "transfer slower than lowSpeed"
        case .fileExists(let path): "\(path) exists already"
        case .file(let message): message
        case .encoding(let message): message
        case .cancelled: "the download was cancelled"
        }
    }

    private static func shown(_ url: String) -> String { RedactedURL.withoutQuery(RedactedURL.withoutCredentials(url)) }
}

// Makes `localizedDescription` return the same text as `description`.
extension DownloadError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
