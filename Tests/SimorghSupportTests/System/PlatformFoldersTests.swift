// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PlatformFoldersTests {
    /// The folders of an app in a container, or of a program in a user's home.
    private static func folders(
        _ system: Platform.System, isSandboxed: Bool = false, bundle: String? = "test.birds", home: String = "/h"
    ) -> PlatformFolders {
        PlatformFolders(
            system: system, home: home, documents: "\(home)/Documents", caches: "\(home)/Library/Caches",
            applicationSupport: "\(home)/Library/Application Support", isSandboxed: isSandboxed,
            bundleIdentifier: bundle, programName: "birds")
    }

    @Test(
        "The default folder of downloads is the documented one, but on tvOS a cache",
        arguments: [
            (Platform.System.iOS, "/h/Documents/Downloads"), (.visionOS, "/h/Documents/Downloads"),
            (.watchOS, "/h/Documents/Downloads"), (.other, "/h/Documents/Downloads"),
            (.tvOS, "/h/Library/Caches/Downloads"),
        ])
    func downloads(system: Platform.System, path: String) {
        #expect(Self.folders(system).downloads == path)
    }

    @Test("Without a sandbox, macOS downloads are in a folder of the program: the user's documents need a permission")
    func mac() {
        #expect(Self.folders(.macOS, isSandboxed: true).downloads == "/h/Documents/Downloads")
        #expect(Self.folders(.macOS).downloads == "/h/Library/Application Support/test.birds/Downloads")
        #expect(Self.folders(.macOS, bundle: nil).downloads == "/h/Library/Application Support/birds/Downloads")
    }

    @Test("Without a usable home there is no default folder of downloads", arguments: [nil, "", "h", "/"])
    func homeless(home: String?) {
        let folders = PlatformFolders(system: .other, home: home, programName: "birds")
        #expect(folders.downloads == nil)
        for system in Platform.System.allCases {
            #expect(PlatformFolders(system: system, home: home, programName: "birds").downloads == nil)
        }
    }

    @Test("State is kept where the system does not delete it, except on tvOS, which has no such folder")
    func state() {
        for system in [Platform.System.iOS, .macOS, .visionOS, .watchOS] {
            #expect(Self.folders(system).state(user: 7) == StateFolder(path: "/h/Library/Application Support"))
        }
        #expect(Self.folders(.tvOS).state(user: 7) == StateFolder(path: "/h/Library/Caches"))
        for system in Platform.System.allCases {
            #expect(Self.folders(system).cache(user: 7) == StateFolder(path: "/h/Library/Caches"))
        }
        let unknown = PlatformFolders(system: .macOS, home: nil, programName: "birds")
        let shared = StateFolder(path: "/tmp/simorgh-7", isInSharedFolder: true)
        #expect(unknown.state(user: 7) == shared && unknown.cache(user: 7) == shared)
    }
}
