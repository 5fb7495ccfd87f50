// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghInspector

/// The services behind the page: the tabs, and the local servers that they use unless the page names others.
final class PlaygroundBackend: Sendable {
    let world: World
    let posts = PostsTab()
    let realtime = RealtimeTab()
    let subscription = SubscriptionTab()
    let downloads: DownloadsTab
    let uploads: UploadStorage
    let upload = UploadTab()
    let stream = StreamTab()
    let network = NetworkTab()
    /// The page that shows the tabs' traffic; `nil` in a release build, which has none.
    let inspector: Inspector?

    init(_ world: World, folder: URL) async throws {
        self.world = world
        let inspector = try? await Inspector.start(posts.client, named: "Posts")
        self.inspector = inspector
        inspector?.watch(realtime.client, named: "Realtime")
        inspector?.watch(subscription.client, named: "Subscription")
        inspector?.watch(upload.client, named: "Upload")
        inspector?.watch(stream.client, named: "Stream")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The manager locks the folder, so the rest of it belongs to this process as well.
        downloads = try DownloadsTab(folder: folder.appendingPathComponent("downloads", isDirectory: true)) {
            inspector?.watch($0, named: "Downloads")
        }
        uploads = try UploadStorage(folder.appendingPathComponent(".uploads", isDirectory: true))
    }

    /// Lets the page show the inspector beside its tabs.
    ///
    /// - Parameter port: The port of the page.
    func allowFrames(on port: Int) {
        for host in ["127.0.0.1", "localhost"] { inspector?.allowFrame(in: "http://\(host):\(port)") }
    }

    /// Returns the base URL that the page requests, or that of the local server.
    func base(_ asked: String?) -> String { Self.given(asked) ?? world.url }

    /// Returns the base URL for WebSockets that the page requests, or that of the local server.
    func socketBase(_ asked: String?) -> String { Self.given(asked) ?? world.socketURL }

    private static func given(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the code of a tab from the source file that was compiled.
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
