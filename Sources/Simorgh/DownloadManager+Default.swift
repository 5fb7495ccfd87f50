// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension DownloadManager {
    /// Creates a manager with the process's shared transport, and restores the downloads of earlier managers.
    ///
    /// ```swift
    /// let manager = try DownloadManager(config: DownloadManagerConfig(maxConcurrentDownloads: 3), logLevel: .standard)
    /// ```
    /// - Parameters:
    ///   - config: The manager's configuration.
    ///   - logLevel: The verbosity of the log. Default: no log.
    /// - Throws: ``/SimorghDownloads/DownloadError/directoryInUse(_:)``, ``/SimorghDownloads/DownloadError/file(_:)``.
    public convenience init(
        config: DownloadManagerConfig = DownloadManagerConfig(), logLevel: LogLevel = .none
    ) throws {
        let client = APIClient(transport: DefaultTransport.shared)
        try self.init(
            config: config, client: client, log: DownloadLog(logLevel, of: client),
            backend: SystemDownloadBackend.backend(for: config))
    }
}
