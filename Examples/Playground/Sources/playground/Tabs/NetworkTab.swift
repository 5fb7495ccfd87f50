// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh

// shown: begin
/// The network of this machine, and its changes.
struct NetworkTab: Sendable {
    let monitor = NetworkMonitor.shared

    func statuses() -> AsyncThrowingStream<Row, any Error> {
        feed { send in
            monitor.startMonitoring()
            for await status in monitor.detailedStatusStream() { send(Row(status)) }
        }
    }
}
// shown: end

extension NetworkTab {
    struct Row: Encodable, Sendable {
        let connectivity: String
        let isVPNActive: Bool
        let isVPNPresent: Bool
        let primary: String?
        let interfaces: [String]
        let source: String

        init(_ status: NetworkStatus) {
            connectivity = "\(status.connectivity)"
            isVPNActive = status.isVPNActive
            isVPNPresent = status.isVPNPresent
            primary = status.primaryInterface?.name
            interfaces = status.interfaces.map { interface in
                "\(interface.name) (\(interface.kind.rawValue)\(interface.isRunning ? "" : ", down"))"
            }
            source = status.source.rawValue
        }
    }
}
