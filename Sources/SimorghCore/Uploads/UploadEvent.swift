// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An event of an upload: progress, or the final value.
public enum UploadEvent<Value: Sendable>: Sendable {
    /// Another part of the body was sent.
    case progress(UploadProgress)
    /// The value of the server's response: the last event.
    case value(Value)

    /// The progress of the upload, from 0 to 1; 1 at the end.
    public var fraction: Double {
        switch self {
        case .progress(let progress): progress.fraction
        case .value: 1
        }
    }
}

extension UploadEvent: Equatable where Value: Equatable {}
extension UploadEvent: Hashable where Value: Hashable {}
