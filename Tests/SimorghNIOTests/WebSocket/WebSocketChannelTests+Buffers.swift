// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghRealtime
import SimorghSupport
import Testing

extension WebSocketChannelTests {
    @Test("Reused buffers of large messages do not corrupt the sent bytes")
    func usedAgain() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open()
        var expected: [[UInt8]] = []
        let sizes = [16_384, 70_000, 100, 400_000, 20_000, 0, 65_536]
        for round in 0..<30 {
            let payload = [UInt8](repeating: UInt8(round), count: sizes[round % sizes.count])
            expected.append(payload)
            try await webSocket.send(.data(Data(payload)))
            // Sometimes it is written immediately, and sometimes several messages are written together.
            if round % 3 == 0 {
                while expected.count > 0 { #expect(await peer.next()?.payload == expected.removeFirst()) }
            }
        }
        while expected.count > 0 { #expect(await peer.next()?.payload == expected.removeFirst()) }
    }
}
