// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What an upload tells while it runs, and at its end.
public enum UploadEvent<Value: Sendable>: Sendable {
    /// More of the body was sent.
    case progress(UploadProgress)
    /// The server's answer: the last event.
    case value(Value)

    /// How far the upload has come, from 0 to 1; 1 at its end.
    public var fraction: Double {
        switch self {
        case .progress(let progress): progress.fraction
        case .value: 1
        }
    }
}

extension UploadEvent: Equatable where Value: Equatable {}
extension UploadEvent: Hashable where Value: Hashable {}
