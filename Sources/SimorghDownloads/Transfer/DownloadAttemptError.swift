// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The reason an attempt ended before the file was complete.
package enum DownloadAttemptError: Error, Sendable, Equatable {
    /// It was asked to stop.
    case stopped
    /// The system stopped it; the download is paused until the user resumes it.
    case paused(DownloadError)
    /// It failed permanently.
    case failed(DownloadError)
    /// It failed and may be retried, but not before the delay that the server asked for.
    case again(DownloadError, after: Duration?)
    /// The disk is full.
    case diskFull(DownloadError)
    /// There is no network.
    case offline(DownloadError)
    /// The received bytes belong to another version of the file than the partial file.
    case changed(String)
    /// The server sends only tiny ranges of the file.
    case tinyRanges

    /// True if a failure of one of several connections need not end the others.
    package var leavesOthers: Bool {
        switch self {
        case .again, .failed(.httpStatus): true
        default: false
        }
    }

    /// True if the file changed on the server.
    package var isChange: Bool {
        if case .changed = self { true } else { false }
    }

    /// True if a failure of an additional connection says nothing about the first one: the network or the server
    /// refused it.
    package var isOfConnection: Bool {
        switch self {
        case .again, .offline, .failed(.httpStatus), .failed(.transport): true
        default: false
        }
    }

    package init(_ error: DownloadError) {
        if case .insufficientDiskSpace = error { self = .diskFull(error) } else { self = .failed(error) }
    }

    /// Creates the reason for the error of a request.
    package init(_ error: any Error) {
        switch error {
        case let stop as DownloadAttemptError: self = stop
        case let error as DownloadError: self.init(error)
        case is CancellationError, NetworkError.cancelled: self = .stopped
        case let error as NetworkError: self.init(failed: error)
        default: self = .failed(.transport(.unknown, "\(error)"))
        }
    }

    private init(failed error: NetworkError) {
        switch error {
        case .invalidRequest: self = .failed(.invalidRequest(error.description))
        case .urlError(let cause):
            let failure = DownloadError.transport(cause.code, error.description)
            switch cause.code {
            case .cancelled: self = .stopped
            case .notConnectedToInternet: self = .offline(failure)
            case .cannotDecodeContentData: self = .again(.encoding(cause.message), after: nil)
            case .badServerResponse, .cannotParseResponse: self = .again(failure, after: nil)
            default:
                self =
                    TransportError.Code.transient.contains(cause.code) ? .again(failure, after: nil) : .failed(failure)
            }
        default:
            let failure = DownloadError.transport(.unknown, error.description)
            self = Self.isRefusedByDrain(error) ? .again(failure, after: nil) : .failed(failure)
        }
    }

    /// Returns true if a client that drains refused the request, or the refresh of its token.
    private static func isRefusedByDrain(_ error: NetworkError) -> Bool {
        switch error.underlyingError {
        case is ClientDrainedError: true
        case let refresh as TokenRefreshError:
            (refresh.underlying as? NetworkError)?.underlyingError is ClientDrainedError
        default: false
        }
    }
}
