// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// Why a run ended before the file was whole.
package enum DownloadStop: Error, Sendable, Equatable {
    /// It was told to.
    case stopped
    /// It cannot be had.
    case failed(DownloadError)
    /// Another time: and not before the server's own wait.
    case again(DownloadError, after: Duration?)
    /// The disk is full.
    case diskFull(DownloadError)
    /// There is no network.
    case offline(DownloadError)
    /// What came is of another version of the file than what is there.
    case changed(String)

    /// Whether what one of several connections met need not be the end of the others.
    package var leavesOthers: Bool {
        switch self {
        case .again, .failed(.httpStatus): true
        default: false
        }
    }

    /// True if the file is another one than before.
    package var isChange: Bool {
        if case .changed = self { true } else { false }
    }

    /// True if what a further connection met says nothing of the first one: the network or the server did not want it.
    package var isOfConnection: Bool {
        switch self {
        case .again, .offline, .failed(.httpStatus), .failed(.transport): true
        default: false
        }
    }

    package init(_ error: DownloadError) {
        if case .insufficientDiskSpace = error { self = .diskFull(error) } else { self = .failed(error) }
    }

    /// What a failed request means.
    package init(_ error: any Error) {
        switch error {
        case let stop as DownloadStop: self = stop
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
                self = TransportError.Code.passing.contains(cause.code) ? .again(failure, after: nil) : .failed(failure)
            }
        default: self = .failed(.transport(.unknown, error.description))
        }
    }
}
