// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// Two functions of users, verbatim, that crashed the compiler of Swift 6.3.1 while the library's functions had typed
// throws: the first with signal 11, the second with signal 6, a failure of the compiler's check of its own output.
import Foundation
import Simorgh

func load(_ client: APIClient) async throws -> String {
    do {
        let text: String = try await client.get("a")
        return text
    } catch NetworkError.urlError(let e) where e.code == .timedOut {
        return "\(e)"
    }
}

// swift-format-ignore
func add(_ url: URL, config: DownloadManagerConfig) async throws {
    let manager = try DownloadManager(config: config)
    do {
        let id = try manager.enqueue(url: url)
        manager.pause(id: id)
        try manager.resume(id: id)
    } catch DownloadError.alreadyQueued(let url) { print(url)
    } catch DownloadError.insufficientDiskSpace(let required, let available) { print(required, available)
    } catch DownloadError.taskNotFound(let id) { print(id) }
}
