// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension WebSocketError.Code {
    /// The connection could not be opened.
    ///
    /// The cause is a ``/SimorghCore/NetworkError``, with the HTTP status if the server responded.
    public static let openingFailed = WebSocketError.Code(description: "openingFailed")
    /// The connection is not open: it was not opened yet, has ended, or is reconnecting.
    public static let notConnected = WebSocketError.Code(description: "notConnected")
    /// An observer exceeded the bounds of its buffer.
    public static let bufferOverflow = WebSocketError.Code(description: "bufferOverflow")
    /// A message could not be decoded as the requested type.
    public static let decodingFailed = WebSocketError.Code(description: "decodingFailed")
    /// A value could not be encoded as JSON.
    ///
    /// Nothing was sent.
    public static let encodingFailed = WebSocketError.Code(description: "encodingFailed")
}

extension WebSocketError {
    /// The error that prevented the connection from opening; `nil` for any other failure.
    public var openingError: NetworkError? { underlying as? NetworkError }

    /// The HTTP status with which the server refused the upgrade; `nil` for any other failure.
    public var statusCode: Int? { openingError?.statusCode }

    /// The server's refusal of the upgrade, with header fields and truncated body; `nil` for any other failure.
    public var response: CollectedResponse? { openingError?.response }

    /// True if the task was cancelled.
    public var isCancelled: Bool { code == .cancelled }

    package static let taskCancelled = WebSocketError(.cancelled, message: "the task was cancelled")

    package init(opening error: NetworkError) {
        self.init(
            error.isCancelled ? .cancelled : .openingFailed, message: error.description, underlying: error)
    }
}

extension NetworkError {
    /// True if the failure is transient, so that a later attempt to connect may succeed.
    package var isTransient: Bool {
        if isRetryable { return true }
        guard case .responseError(let failure) = self, let refresh = failure.underlying as? TokenRefreshError else {
            return false
        }
        switch refresh.underlying {
        case let error as NetworkError: return error.isRetryable
        case let error as TransportError: return TransportError.Code.transient.contains(error.code)
        default: return false
        }
    }
}

extension WebSocketError: SelfRedactingError {
    package func shown(by redactor: Redactor) -> any Error {
        var copy = self
        copy.message = redactor.text(message)
        copy.underlying = underlying.map { redactor.shown($0) }
        return copy
    }
}
