// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
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
                ContainerPath.key(of: "\(root)/\($0)/Documents/film.mov", in: "/elsewhere")
            }
            #expect(keys[0] == keys[1] && !keys[0].contains(Self.old), "\(keys)")
        }
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

    @Test("A path in a container that still exists stays: there may be two app groups")
    func twoGroups() {
        let (first, second) = ("\(Self.group)/\(Self.old)", "\(Self.group)/\(Self.new)")
        for existing in ["\(first)/", ""] {
            let path = ContainerPath.current("\(first)/film", directory: "\(second)/uploads", home: nil) {
                $0 == existing
            }
            #expect(path == (existing.isEmpty ? "\(second)/film" : "\(first)/film"))
        }
    }

    @Test(
        "Other paths are in no container",
        arguments: ["", "/", "Containers", "/Containers/Data/Application", "/Containers/a/b/c"])
    func others(path: String) {
        #expect(ContainerPath(path) == nil)
    }
}
