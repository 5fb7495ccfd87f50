// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension WebSocketError.Code {
    /// The connection could not be made: the cause is a ``/SimorghCore/NetworkError``, with the status where the server answered.
    public static let openingFailed = WebSocketError.Code(description: "openingFailed")
    /// There is no connection to send on: it was not made yet, is over, or comes back later.
    public static let notConnected = WebSocketError.Code(description: "notConnected")
    /// An observer was too slow for the bounds of its buffer.
    public static let bufferOverflow = WebSocketError.Code(description: "bufferOverflow")
    /// A message is not what it was to be decoded as.
    public static let decodingFailed = WebSocketError.Code(description: "decodingFailed")
    /// A value could not be encoded as JSON; nothing was sent.
    public static let encodingFailed = WebSocketError.Code(description: "encodingFailed")
}

extension WebSocketError {
    /// Why the connection could not be made, where that is what happened.
    public var openingError: NetworkError? { underlying as? NetworkError }

    /// The status with which the server refused the upgrade, where it did.
    public var statusCode: Int? { openingError?.statusCode }

    /// The server's refusal of the upgrade, with its header fields and bounded body, where there was one.
    public var response: CollectedResponse? { openingError?.response }

    /// Whether the task was cancelled.
    public var isCancelled: Bool { code == .cancelled }

    package static let taskCancelled = WebSocketError(.cancelled, message: "the task was cancelled")

    package init(opening error: NetworkError) {
        self.init(
            error.isCancelled ? .cancelled : .openingFailed, message: error.description, underlying: error)
    }
}

extension NetworkError {
    /// Whether an opening that failed so may succeed later.
    package var mayPass: Bool {
        if isRetryable { return true }
        guard case .responseError(let failure) = self, let refresh = failure.underlying as? TokenRefreshFailure else {
            return false
        }
        switch refresh.underlying {
        case let error as NetworkError: return error.isRetryable
        case let error as TransportError: return TransportError.Code.passing.contains(error.code)
        default: return false
        }
    }
}
