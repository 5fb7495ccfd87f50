// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import NIOWebSocket
import Synchronization

/// A server of trades that speaks the protocol of exchanges: clients subscribe to symbols, and receive their prices.
struct TradeServer: Sendable {
    private struct Order: Decodable {
        var method: String
        var params: [String]
        var id: Int
    }

    private let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    private let followed = Followed()

    private final class Followed: Sendable {
        let prices = Mutex<[String: Double]>([:])
    }

    init(_ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>) { self.outbound = outbound }

    func run(_ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.trade() }
            group.addTask { try await self.listen(inbound) }
            try await group.next()
            group.cancelAll()
        }
    }

    private func listen(_ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>) async throws {
        for try await frame in inbound {
            switch frame.opcode {
            case .text: try await obey(String(buffer: frame.unmaskedData))
            case .ping: try await outbound.write(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData))
            case .connectionClose:
                return try await outbound.write(
                    WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData))
            default: break
            }
        }
    }

    private func obey(_ text: String) async throws {
        guard let order = try? JSONDecoder().decode(Order.self, from: Data(text.utf8)) else { return }
        let symbols = order.params.prefix(10).map { String($0.prefix { $0 != "@" }.prefix(20)).uppercased() }
        followed.prices.withLock { prices in
            for symbol in symbols {
                if order.method == "SUBSCRIBE" {
                    guard prices.count < 100 else { return }
                    prices[symbol] = symbol.hasPrefix("BTC") ? 64_000 : 3_200
                } else {
                    prices[symbol] = nil
                }
            }
        }
        try await outbound.write(.text("{\"result\":null,\"id\":\(order.id)}"))
    }

    private func trade() async throws {
        while true {
            try await Task.sleep(for: .milliseconds(250))
            let trades = followed.prices.withLock { prices in
                for (symbol, price) in prices { prices[symbol] = price * Double.random(in: 0.9985...1.0016) }
                return prices
            }
            let time = Int(Date().timeIntervalSince1970 * 1000)
            for (symbol, price) in trades.sorted(by: { $0.key < $1.key }) {
                let text = String(format: "%.2f", price)
                try await outbound.write(
                    .text("{\"e\":\"trade\",\"s\":\"\(symbol)\",\"p\":\"\(text)\",\"T\":\(time)}"))
            }
        }
    }
}
