// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ContainerPathTests {
    private static let app = "/var/mobile/Containers/Data/Application"
    private static let group = "/private/var/mobile/Containers/Shared/AppGroup"
    private static let (old, new) = (
        "6E0C7B1F-9E0A-4C5B-8D2A-111111111111", "0B5C7B1F-9E0A-4C5B-8D2A-222222222222"
    )

    @Test("The key of a file is the same after its container has moved")
    func keys() {
        for root in [Self.app, Self.group, "/private\(Self.app)"] {
            let keys = [Self.old, Self.new].map {
                ContainerPath.key(of: "\(root)/\($0)/Documents/film.mov", in: "\(root)/\($0)/uploads")
            }
            #expect(keys[0] == keys[1] && !keys[0].contains(Self.old), "\(keys)")
        }
        let keys = [Self.old, Self.new].map { ContainerPath.key(of: "\(Self.app)/\($0)/film.mov") }
        #expect(keys[0] == keys[1])
        #expect(ContainerPath.key(of: "/a/b/c/film", in: "/a/b") == "./c/film")
        #expect(ContainerPath.key(of: "/a/bc/film", in: "/a/b") == "/a/bc/film")
        #expect(
            ContainerPath.key(of: "\(Self.app)/\(Self.old)/f", in: "/")
                != ContainerPath.key(of: "\(Self.group)/\(Self.old)/f", in: "/"))
    }

    @Test("A recorded file is found in the folder, in the container of the folder, or in the home folder")
    func current() {
        func current(_ path: String, oldDirectory: String? = nil, directory: String, home: String? = nil) -> String {
            ContainerPath.current(path, oldDirectory: oldDirectory, directory: directory, home: home) { _ in false }
        }
        let (before, after) = ("\(Self.app)/\(Self.old)", "\(Self.app)/\(Self.new)")
        #expect(
            current("\(before)/tmp/film", directory: "/private\(after)/uploads") == "/private\(after)/tmp/film")
        #expect(
            current("\(before)/tmp/film", directory: "\(Self.group)/\(Self.new)", home: after) == "\(after)/tmp/film")
        #expect(current("/old/uploads/film", oldDirectory: "/old/uploads", directory: "/new") == "/new/film")
        #expect(current("/old/film", oldDirectory: "/old/uploads", directory: "/new") == "/old/film")
        #expect(current("\(before)/film", directory: "/new") == "\(before)/film")
    }

    @Test("The files of two app groups have different keys, and only those of the folder's group follow it")
    func twoGroups() {
        let (first, second) = ("\(Self.group)/\(Self.old)", "\(Self.group)/\(Self.new)")
        let keys = [first, second].map { ContainerPath.key(of: "\($0)/film", in: "\(second)/uploads") }
        #expect(keys == ["\(first.dropFirst("/private".count))/film", "Shared/AppGroup/film"])
        #expect(ContainerPath.key(of: "\(first)/film") != ContainerPath.key(of: "\(second)/film"))
        func current(existing: String, oldDirectory: String? = nil) -> String {
            ContainerPath.current(
                "\(first)/film", oldDirectory: oldDirectory, directory: "\(second)/uploads", home: nil
            ) { $0 == existing }
        }
        #expect(current(existing: "\(first)/") == "\(first)/film")
        #expect(current(existing: "", oldDirectory: "\(first)/uploads") == "\(second)/film")
        let other = "\(Self.group)/3D5C7B1F-9E0A-4C5B-8D2A-333333333333/uploads"
        #expect(current(existing: "\(second)/film", oldDirectory: other) == "\(first)/film")
        // Without the old folder, the file itself tells.
        #expect(current(existing: "") == "\(first)/film")
        #expect(current(existing: "\(second)/film") == "\(second)/film")
    }

    @Test("A leading /private makes no difference", arguments: ["var", "tmp"])
    func privateFolders(name: String) {
        let (short, long) = ("/\(name)/a/uploads", "/private/\(name)/a/uploads")
        for (path, directory) in [(short, long), (long, short), (short, short), (long, long)] {
            #expect(ContainerPath.key(of: "\(path)/film", in: directory) == "./film")
            let current = ContainerPath.current(
                "\(path)/film", oldDirectory: directory, directory: "/new", home: nil)
            #expect(current == "/new/film")
        }
        #expect(ContainerPath.key(of: "\(long)/film") == ContainerPath.key(of: "\(short)/film"))
        let group = "\(Self.group)/\(Self.old)"
        let directory = "\(group.dropFirst("/private".count))/uploads"
        #expect(ContainerPath.key(of: "\(group)/film", in: directory) == "Shared/AppGroup/film")
    }

    @Test(
        "Other paths are in no container",
        arguments: [
            "", "/", "Containers", "/Containers/Data/Application", "/Containers/a/b/c",
            "/Users/a/Library/Containers/com.example.app/Data/6E0C7B1F-9E0A-4C5B-8D2A-111111111111/film",
        ])
    func others(path: String) {
        #expect(ContainerPath(path) == nil)
    }
}
