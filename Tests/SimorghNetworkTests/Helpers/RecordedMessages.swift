// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghNetwork
import SimorghSupport

/// Messages of a kernel about an interface of each kind: `Recorded/rtmon-kinds.bin`, written by `rtmon` on Linux 6.1.
enum RecordedMessages {
    static let bytes: [UInt8] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Recorded/rtmon-kinds.bin")
        return (try? Data(contentsOf: file)).map { Array($0) } ?? []
    }()

    static var records: [NetlinkRecord] { NetlinkParser.records(in: bytes) }

    /// The last state of each link before it was removed.
    static var links: [String: NetlinkLink] {
        var links: [String: NetlinkLink] = [:]
        for record in records {
            if case .link(let link, isGone: false) = record.message { links[link.name] = link }
        }
        return links
    }
}
