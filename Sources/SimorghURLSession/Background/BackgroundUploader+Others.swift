// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !canImport(Darwin)
public import SimorghCore

extension BackgroundUploader {
    /// Throws an error: only Apple platforms have background sessions.
    ///
    /// - Parameters:
    ///   - identifier: The name of the session.
    ///   - directory: A folder for the state of the uploads.
    ///   - sharedContainerIdentifier: The app group whose container holds the files of the session.
    /// - Throws: ``/SimorghCore/TransportError`` with ``UnsupportedByURLSessionError`` as its cause.
    public convenience init(
        identifier: String, directory: URL, sharedContainerIdentifier: String? = nil
    ) throws(TransportError) {
        let cause = UnsupportedByURLSessionError(
            option: "BackgroundUploader",
            reason: "only Apple platforms have background sessions; use ResumableUpload of an APIClient")
        throw TransportError(
            .unknown, phase: .total, message: cause.description, requestMayHaveBeenSent: false, underlying: cause)
    }
}
#endif
