// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// Why a download was not accepted, or did not come to its end.
@nonexhaustive
public enum DownloadError: Error, Sendable, Hashable {
    /// The same file is on its way to the same place already.
    case alreadyQueued(URL)
    /// There is less room than the file and the reserve need, in bytes.
    case insufficientDiskSpace(required: Int64, available: Int64)
    /// There is no download of this id.
    case taskNotFound(UUID)
    /// So many wait already.
    case queueFull(limit: Int)
    /// What is given is no URL of http or https, or has a user's name in it, which belongs into a header field.
    case invalidURL(String)
    /// The request cannot be sent, for the reason given: a host that is not one, for instance.
    case invalidRequest(String)
    /// The folder is in use by another process, or by another manager of this one.
    case directoryInUse(String)
    /// The server refused, with this status.
    case httpStatus(Int)
    /// The server says that there is nothing: 204 or 205.
    case emptyResponse(Int)
    /// The file changed while it was fetched, more than once.
    case entityChanged(String)
    /// What came is not what it should be, by its hash; it was set aside.
    case digestMismatch(expected: DownloadDigest, found: DownloadDigest)
    /// The file has another length than the caller expects.
    case sizeMismatch(expected: Int64, found: Int64)
    /// The network failed, more often than is tried.
    case transport(TransportError.Code, String)
    /// Less came than ``DownloadManagerConfig/lowSpeed`` asks for.
    case tooSlow
    /// There is a file at the destination already, and ``DownloadRequest/collision`` says that none may be.
    case fileExists(String)
    /// A file could not be read or written, for the reason given.
    case file(String)
    /// The body came encoded and is not what its coding says.
    case encoding(String)
    /// Somebody cancelled it.
    case cancelled
}

extension DownloadError: CustomStringConvertible {
    /// What happened, in a sentence.
    public var description: String {
        switch self {
        case .alreadyQueued(let url): "\(Self.shown(url.absoluteString)) is being downloaded already"
        case .insufficientDiskSpace(let required, let available):
            "\(required) bytes are needed on the disk, and \(available) are free"
        case .taskNotFound(let id): "there is no download \(id)"
        case .queueFull(let limit): "\(limit) downloads wait already"
        case .invalidURL(let url): "\(Self.shown(url)) is not a URL of http or https, or it holds a user name"
        case .directoryInUse(let path): "\(path) is in use by another download manager"
        case .httpStatus(let status): "the server answered \(status)"
        case .emptyResponse(let status): "the server answered \(status), which has no file"
        case .entityChanged(let reason): "the file changed on the server: \(reason)"
        case .digestMismatch(let expected, let found): "the file's hash is \(found) and should be \(expected)"
        case .sizeMismatch(let expected, let found): "the file has \(found) bytes and should have \(expected)"
        case .transport(_, let message), .invalidRequest(let message): message
        case .tooSlow: "less came than the lowest speed"
        case .fileExists(let path): "\(path) exists already"
        case .file(let message): message
        case .encoding(let message): message
        case .cancelled: "it was cancelled"
        }
    }

    private static func shown(_ url: String) -> String { ShownURL.withoutQuery(ShownURL.withoutCredentials(url)) }
}
