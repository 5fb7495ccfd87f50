// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Error {
    /// True if the error means that the call was cancelled.
    package var isCancellation: Bool {
        switch self {
        case is CancellationError: true
        case let error as TransportError: error.code == .cancelled
        case let error as NetworkError: error.isCancelled
        default: false
        }
    }
}
