// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
public import SimorghCore

extension BackgroundUploader {
    /// Creates an uploader that connects to the session of a name.
    ///
    /// - Parameters:
    ///   - identifier: The name of the session, for this uploader alone; not empty.
    ///   - directory: A folder for the state of the uploads, for this uploader alone; for example in Application
    ///     Support, on tvOS in Caches.
    ///   - sharedContainerIdentifier: The app group whose container holds the files of the session; app extensions need
    ///     it. Default: `nil`.
    /// - Throws: ``/SimorghCore/TransportError`` if the folder cannot be created; on other platforms with
    ///   ``UnsupportedByURLSessionError`` as its cause.
    public convenience init(
        identifier: String, directory: URL, sharedContainerIdentifier: String? = nil
    ) throws(TransportError) {
        var settings = BackgroundSessionSettings(identifier: identifier)
        settings.sharedContainerIdentifier = sharedContainerIdentifier
        try settings.validate()
        try self.init(directory: directory) { [settings] in BackgroundTransfers.system(settings) }
    }
}
#endif
