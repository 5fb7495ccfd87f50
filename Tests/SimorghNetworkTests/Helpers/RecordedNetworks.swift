// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghNetwork
import SimorghSupport
import TestSupport

/// Answers of a kernel about some networks: `Recorded/ways.bin`, written by `record-ways.py` on Linux 6.18.
struct RecordedNetworks: Sendable {
    /// The expected summary, and after a comma, a description of the network.
    let name: String
    let snapshot: KernelNetworkSnapshot

    static let all: [RecordedNetworks] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Recorded/ways.bin")
        var rest = (try? Data(contentsOf: file)).map { Array($0)[...] } ?? []
        var all: [RecordedNetworks] = []
        while let name = part(&rest), let count = part(&rest).flatMap(number) {
            let answers = (0..<count).compactMap { _ in part(&rest) }
            all.append(RecordedNetworks(name: String(decoding: name, as: UTF8.self), snapshot: snapshot(answers)))
        }
        return all
    }()

    private static func number(_ bytes: [UInt8]) -> Int? {
        NetlinkBytes(bytes[...]).number(UInt32.self, at: 0).map(Int.init)
    }

    private static func part(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard let length = number(Array(rest.prefix(4))), rest.count >= 4 + length else { return nil }
        defer { rest = rest.dropFirst(4 + length) }
        return Array(rest.dropFirst(4).prefix(length))
    }

    private static func snapshot(_ answers: [[UInt8]]) -> KernelNetworkSnapshot {
        var snapshot = KernelNetworkSnapshot()
        for answer in answers.prefix(2) {
            for record in NetlinkParser.records(in: answer) {
                switch record.message {
                case .link(let link, isGone: false): snapshot.links.append(link)
                case .address(let address, isGone: false): snapshot.addresses.append(address)
                default: break
                }
            }
        }
        snapshot.ipv4 = answers.count > 2 ? route(answers[2]) : nil
        snapshot.ipv6 = answers.count > 3 ? route(answers[3]) : nil
        // Answers about the routes through one link begin with its index.
        for answer in answers.dropFirst(4) where route(Array(answer.dropFirst(4))) != nil {
            snapshot.uplinks.insert(Int32(number(answer) ?? 0))
        }
        return snapshot
    }

    private static func route(_ bytes: [UInt8]) -> NetlinkRoute? {
        for record in NetlinkParser.records(in: bytes) {
            if case .route(let route, _) = record.message { return route }
        }
        return nil
    }
}
