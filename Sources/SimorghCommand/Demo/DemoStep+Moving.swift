// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghSupport
import SimorghTesting

extension DemoStep {
    static let upload = DemoStep(
        "upload", title: "A form with a file",
        code: """
            let song = Data("thirty birds".utf8)
            let form = try RequestBody.multipart([
                .text(name: "title", value: "The conference"),
                .file(name: "song", data: song, fileName: "birds.txt"),
            ])
            let answer = try await client.call(.post, "upload", body: form).json()
            let file = answer.parts[1]
            print("\\(file.filename.string ?? ""): \\(file.size.int ?? 0) bytes")
            """,
        run: showUpload
    )

    private static func showUpload(_ environment: DemoEnvironment) async throws {
        let (client, print) = (environment.client, environment.print)
        // demo: upload
        let song = Data("thirty birds".utf8)
        let form = try RequestBody.multipart([
            .text(name: "title", value: "The conference"),
            .file(name: "song", data: song, fileName: "birds.txt"),
        ])
        let answer = try await client.call(.post, "upload", body: form).json()
        let file = answer.parts[1]
        print("\(file.filename.string ?? ""): \(file.size.int ?? 0) bytes")
        // demo: end
        try environment.expect("birds.txt: 12 bytes")
    }

    static let download = DemoStep(
        "download", title: "A download, with several connections for a large file",
        code: """
            let manager = try DownloadManager(config: config)
            for await progress in try manager.download(url: url) {
                guard progress.isCompleted else { continue }
                print("\\(progress.downloadedBytes) bytes, all of them")
            }
            """,
        run: showDownload
    )

    private static func showDownload(_ environment: DemoEnvironment) async throws {
        let folder = try TemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let directory = URL(filePath: folder.path, directoryHint: .isDirectory)
        let config = DownloadManagerConfig(downloadDirectory: directory, minFreeDiskSpace: 0)
        let address = environment.server.url + "/range/100000"
        guard let url = URL(string: address) else {
            throw DemoEnvironment.UnexpectedResultError(description: "\(address) is not a URL")
        }
        let print = environment.print
        // demo: download
        let manager = try DownloadManager(config: config)
        for await progress in try manager.download(url: url) {
            guard progress.isCompleted else { continue }
            print("\(progress.downloadedBytes) bytes, all of them")
        }
        // demo: end
        await manager.close()
        try environment.expect("100000 bytes, all of them")
    }

    static let cache = DemoStep(
        "cache", title: "An HTTP cache (RFC 9111)",
        code: """
            let memory = HTTPCache(CacheConfiguration(diskCapacity: 0))
            let thrifty = client.with { $0.caching.httpCache = memory }
            let first = try await thrifty.call(.get, "list").data()
            let again = try await thrifty.call(.get, "list").data()
            print(first == again ? "the same list" : "another list")
            print("\\(server.requestCount - before) request for both")
            """,
        run: showCache
    )

    private static func showCache(_ environment: DemoEnvironment) async throws {
        let (client, server, print) = (environment.client, environment.server, environment.print)
        let before = server.requestCount
        // demo: cache
        let memory = HTTPCache(CacheConfiguration(diskCapacity: 0))
        let thrifty = client.with { $0.caching.httpCache = memory }
        let first = try await thrifty.call(.get, "list").data()
        let again = try await thrifty.call(.get, "list").data()
        print(first == again ? "the same list" : "another list")
        print("\(server.requestCount - before) request for both")
        // demo: end
        try environment.expect("the same list", "1 request for both")
    }
}
#endif
