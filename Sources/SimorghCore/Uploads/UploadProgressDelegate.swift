// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Told how far an upload has come; see ``Call/uploadProgress(delegate:)``.
public protocol UploadProgressDelegate: AnyObject, Sendable {
    /// More was sent.
    ///
    /// It is called on the task of the call, one call at a time and in order; it should return at once.
    ///
    /// - Parameter progress: How far the upload has come.
    func uploadDidProgress(_ progress: UploadProgress)
}
