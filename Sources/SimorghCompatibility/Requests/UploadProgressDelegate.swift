// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// Told how far an upload has come; see ``/SimorghCompatibility/SimorghCore/Call/uploadProgress(delegate:)``.
public protocol UploadProgressDelegate: AnyObject, Sendable {
    /// More was sent.
    ///
    /// Called one call at a time and in order, on the task or thread that sends the body. The call waits for it before it returns a
    /// value, so it should return at once.
    ///
    /// - Parameter progress: How far the upload has come.
    func uploadDidProgress(_ progress: UploadProgress)
}
