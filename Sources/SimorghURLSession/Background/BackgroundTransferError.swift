// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghDownloads

/// The reason a background transfer ended without a response.
package enum BackgroundTransferError: Error, Sendable, Hashable {
    /// The caller cancelled it.
    case cancelled
    /// The server is not trusted, or the TLS options cannot be used.
    case refused(BackgroundRefusal)
    /// The user closed the app, which cancels its background transfers.
    case closedByUser
    /// The session does not exist any more.
    case invalidated
    /// The task ended without an error and without a response.
    case noResponse
    /// The response is not an HTTP response.
    case notHTTP
    /// The response to an upload is larger than the limit, in bytes.
    case responseTooLarge(limit: Int)
    /// The file could not be kept.
    case file(String)
    /// The disk is too full to keep the file; the numbers are in bytes.
    case noSpace(required: Int64, available: Int64)
    /// The error of the system: its number in `URLError`.
    case system(code: Int, message: String)

    /// The number of the reason for which the system cancels tasks if the user closes the app.
    ///
    /// `URLError.BackgroundTaskCancelledReason.userForceQuitApplication`
    private static let forceQuit = 0

    /// The session of an app extension has no shared container.
    private static let needsContainer = -995

    /// Creates the error of a task that failed.
    package init(_ failure: BackgroundSessionFailure) {
        // The system says only that the task was cancelled.
        if let refusal = failure.refusal {
            self = .refused(refusal)
            return
        }
        guard failure.code == TransportError.Code.cancelled.rawValue else {
            self = .system(code: failure.code, message: failure.message)
            return
        }
        self =
            switch failure.cancellation {
            case Self.forceQuit: .closedByUser
            // Background updates are disabled, or the system lacks resources.
            case .some: .system(code: TransportError.Code.networkConnectionLost.rawValue, message: failure.message)
            case nil: .cancelled
            }
    }

    /// The error for the caller.
    package var transportError: TransportError {
        switch self {
        case .cancelled: TransportError(.cancelled, phase: .body, message: "the transfer was cancelled")
        case .refused(let refusal): refusal.error
        case .closedByUser:
            TransportError(.cancelled, phase: .body, message: "the transfer is paused because the user closed the app")
        case .invalidated:
            TransportError(.networkConnectionLost, phase: .body, message: "the background session was invalidated")
        case .noResponse:
            TransportError(.badServerResponse, phase: .body, message: "the background task ended without a response")
        case .notHTTP:
            TransportError(.badServerResponse, phase: .body, message: "the response is not an HTTP response")
        case .responseTooLarge(let limit):
            TransportError(
                .dataLengthExceedsMaximum, phase: .body,
                message: "the response to the upload is larger than \(limit) bytes")
        case .file(let message): TransportError(.unknown, phase: .body, message: message)
        case .noSpace(let required, let available):
            Self.fileError(.insufficientDiskSpace(required: required, available: available))
        case .system(Self.needsContainer, let message):
            TransportError(
                .resourceUnavailable, phase: .queue,
                message: "URLSession says: \(message) (URLError -995); set sharedContainerIdentifier")
        case .system(let code, let message):
            TransportError(Self.code(code), phase: .body, message: "URLSession says: \(message) (URLError \(code))")
        }
    }

    private static func fileError(_ error: DownloadError) -> TransportError {
        TransportError(.unknown, phase: .body, message: error.description, underlying: error)
    }

    private static func code(_ number: Int) -> TransportError.Code {
        switch number {
        // The session is in use by another process.
        case -996: return .resourceUnavailable
        // The session was disconnected.
        case -997: return .networkConnectionLost
        default:
            let known = TransportError.Code.known[number] ?? .unknown
            // As for a body over a session: an error without a code of its own ended the connection, and may be
            // retried.
            return known == .unknown ? .networkConnectionLost : known
        }
    }
}
