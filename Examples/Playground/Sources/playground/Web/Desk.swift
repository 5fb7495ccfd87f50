// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// Everything behind the page: the tabs, and the world that they go out to unless they are pointed elsewhere.
final class Desk: Sendable {
    let world: World
    let posts = PostsTab()
    let realtime = RealtimeTab()
    let subscription = SubscriptionTab()
    let downloads: DownloadsTab
    let uploads: UploadTray
    let upload = UploadTab()
    let stream = StreamTab()
    let network = NetworkTab()

    init(_ world: World, folder: URL) throws {
        self.world = world
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Only one process has the downloads of a folder, and so what else is in it.
        downloads = try DownloadsTab(folder: folder.appendingPathComponent("downloads", isDirectory: true))
        uploads = try UploadTray(folder.appendingPathComponent(".uploads", isDirectory: true))
    }

    /// The base URL that the page asks for, or the world's.
    func base(_ asked: String?) -> String { Self.given(asked) ?? world.url }

    /// The same for WebSockets.
    func socketBase(_ asked: String?) -> String { Self.given(asked) ?? world.socketURL }

    private static func given(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }

    /// The code of a tab, as it stands in the file that was compiled: what the page shows is what runs.
    static func code(of tab: String) -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appendingPathComponent("Tabs/\(tab)Tab.swift")
        guard let text = try? String(contentsOf: file, encoding: .utf8),
            let begin = text.range(of: "// shown: begin\n"),
            let end = text.range(of: "// shown: end", range: begin.upperBound..<text.endIndex)
        else { return "// The sources are not on this machine." }
        return text[begin.upperBound..<end.lowerBound].trimmingCharacters(in: .newlines)
    }
}
