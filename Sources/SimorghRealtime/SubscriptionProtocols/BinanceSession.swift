// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The session of Binance streams.
public struct BinanceSession: SubscriptionSession {
    private enum Request: Sendable {
        /// The streams of each of the subscriptions that are combined in one request.
        case subscribe([[String]])
        case unsubscribe([SubscriptionID], [String])
    }

    /// The maximum total length of the names in a message, because Binance rejects long messages.
    private static let maximumNamesLength = 3000

    let isCombined: Bool
    private var topics = SubscriptionTopics()
    private var lastRequest = 0
    private var requests: [Int: Request] = [:]
    /// The requests to send at the next flush, in order.
    private var unsent: [Int] = []
    /// The requests that a subscription waits for: its own, and those of other subscriptions to the same streams.
    private var awaited: [SubscriptionID: Set<Int>] = [:]

    package init(isCombined: Bool) { self.isCombined = isCombined }

    /// Records the streams that are not subscribed on the server yet; ``flush()`` sends them.
    ///
    /// - Parameters:
    ///   - operation: The streams.
    ///   - id: The identifier of the subscription.
    /// - Returns: No actions, or ``SubscriptionAction/accepted(_:)`` if all streams are already subscribed.
    /// - Throws: ``BinanceError`` if the list of streams is empty.
    public mutating func subscribe(
        _ operation: BinanceProtocol.Streams, id: SubscriptionID
    ) throws -> [SubscriptionAction] {
        guard !operation.names.isEmpty else { throw BinanceError(message: "the list of streams is empty") }
        let added = topics.add(id, to: operation.names)
        if !added.isEmpty {
            if let last = unsent.last, case .subscribe(let parts)? = requests[last],
                Self.fits(parts.joined() + added)
            {
                requests[last] = .subscribe(parts + [added])
            } else {
                unsent.append(next(.subscribe([added])))
            }
        }
        wait(id, for: requests.keys)
        return awaited[id] == nil ? [.accepted(id)] : []
    }

    /// Records the streams that no other subscription needs; ``flush()`` unsubscribes them.
    ///
    /// - Parameter id: The identifier of the subscription.
    /// - Returns: No actions, or ``SubscriptionAction/released(_:)`` if no stream has to be unsubscribed.
    public mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
        awaited[id] = nil
        let left = topics.remove(id)
        guard !left.isEmpty else { return [.released(id)] }
        if let last = unsent.last, case .unsubscribe(let ids, let names)? = requests[last], Self.fits(names + left) {
            requests[last] = .unsubscribe(ids + [id], names + left)
        } else {
            unsent.append(next(.unsubscribe([id], left)))
        }
        return []
    }

    /// Sends the recorded requests, with several streams in one message.
    ///
    /// - Returns: `SUBSCRIBE` and `UNSUBSCRIBE` messages.
    public mutating func flush() -> [SubscriptionAction] {
        defer { unsent = [] }
        return unsent.compactMap { message($0) }
    }

    /// Handles a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: The actions.
    /// - Throws: `DecodingError` if the message is not JSON.
    public mutating func received(_ message: WebSocketMessage) throws -> [SubscriptionAction] {
        let event = try message.decoded(as: BinanceFrame.self)
        if event.kind == "serverShutdown" {
            return [.reconnect(BinanceError(message: "the server is about to close the connection"))]
        }
        if let fault = event.fault { return reject(event.id, fault: fault) }
        if let stream = event.stream {
            return topics[stream].map { .event($0, SubscriptionPayload(message, at: ["data"])) }
        }
        // A response has an ID and no fields of an event.
        if let id = event.id, event.kind == nil, event.symbol == nil { return answer(id) }
        return subscribers(of: event).map { .event($0, SubscriptionPayload(message)) }
    }

    private static func fits(_ names: [String]) -> Bool {
        names.reduce(0) { $0 + $1.utf8.count + 3 } <= maximumNamesLength
    }

    private mutating func next(_ request: Request) -> Int {
        lastRequest += 1
        requests[lastRequest] = request
        return lastRequest
    }

    private func message(_ number: Int) -> SubscriptionAction? {
        guard let request = requests[number] else { return nil }
        let (method, names): (JSON, [String]) =
            switch request {
            case .subscribe(let parts): ("SUBSCRIBE", Array(parts.joined()))
            case .unsubscribe(_, let names): ("UNSUBSCRIBE", names)
            }
        return try? .send([
            "method": method, "params": .array(names.map(JSON.string)), "id": .number(JSON.Number(Int64(number))),
        ])
    }

    /// Records the requests that a subscription waits for: the latest one for each of its streams.
    ///
    /// An earlier request for a stream belongs to subscriptions that have ended.
    private mutating func wait(_ id: SubscriptionID, for numbers: some Sequence<Int>) {
        var wanted = Set(topics[id])
        for number in numbers.sorted(by: >) {
            guard !wanted.isEmpty, case .subscribe(let parts)? = requests[number] else { continue }
            let found = wanted.intersection(parts.joined())
            guard !found.isEmpty else { continue }
            wanted.subtract(found)
            awaited[id, default: []].insert(number)
        }
    }

    private mutating func answer(_ number: Int) -> [SubscriptionAction] {
        switch requests.removeValue(forKey: number) {
        case .unsubscribe(let ids, _): return ids.map { .released($0) }
        case .subscribe: return waiting(for: number).filter { awaited[$0] == nil }.map { .accepted($0) }
        case nil: return []
        }
    }

    private mutating func reject(_ number: Int?, fault: BinanceError) -> [SubscriptionAction] {
        // An error without an ID belongs to the oldest request without a response.
        guard let number = number ?? requests.keys.min() else { return [.giveUp(fault)] }
        switch requests.removeValue(forKey: number) {
        case .unsubscribe(let ids, _): return ids.map { .released($0) }
        case .subscribe(let parts):
            // Streams that are no longer needed are not requested again.
            let wanted = parts.map { $0.filter { !topics[$0].isEmpty } }.filter { !$0.isEmpty }
            return wanted.count > 1
                ? halve(wanted, ids: waiting(for: number))
                : fail(Array(parts.joined()), ids: waiting(for: number), fault: fault)
        case nil: return []
        }
    }

    /// Splits a rejected request in two, to find the invalid stream while the other streams get subscribed.
    private mutating func halve(_ parts: [[String]], ids: [SubscriptionID]) -> [SubscriptionAction] {
        let middle = parts.count / 2
        let numbers = [next(.subscribe(Array(parts[..<middle]))), next(.subscribe(Array(parts[middle...])))]
        for id in ids { wait(id, for: numbers) }
        return numbers.compactMap { message($0) }
    }

    private mutating func fail(
        _ names: [String], ids: [SubscriptionID], fault: BinanceError
    ) -> [SubscriptionAction] {
        var actions: [SubscriptionAction] = []
        for id in ids {
            awaited[id] = nil
            let left = topics.remove(id).filter { !names.contains($0) }
            actions.append(.failed(id, fault))
            // The streams of the failed subscription that another request had subscribed.
            if !left.isEmpty, let action = message(next(.unsubscribe([id], left))) { actions.append(action) }
        }
        return actions
    }

    /// Returns the subscriptions that wait for a request, in order, and removes it from what they wait for.
    private mutating func waiting(for number: Int) -> [SubscriptionID] {
        let ids = awaited.keys.filter { awaited[$0]?.contains(number) == true }.sorted { $0.number < $1.number }
        for id in ids {
            awaited[id]?.remove(number)
            if awaited[id]?.isEmpty == true { awaited[id] = nil }
        }
        return ids
    }

    /// Returns the subscriptions for an event that does not contain the name of its stream.
    private func subscribers(of event: BinanceFrame) -> [SubscriptionID] {
        let all = topics.all
        let found = all.filter { event.belongs(to: $0) }
        if found.isEmpty, all.count == 1 { return topics[all[0]] }
        var ids: [SubscriptionID] = []
        for name in found { for id in topics[name] where !ids.contains(id) { ids.append(id) } }
        return ids
    }
}

/// The fields of a message that determine its recipients.
struct BinanceFrame: Decodable {
    var stream: String?
    var kind: String?
    var symbol: String?
    var interval: String?
    var id: Int?
    var fault: BinanceError?

    private enum CodingKeys: String, CodingKey { case stream, e, s, k, i, id, error, code, msg, data, u, b, a }

    init(from decoder: any Decoder) throws {
        guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
            // The message is an array of events, all of one type.
            var list = try decoder.unkeyedContainer()
            if let first = try? list.decode(BinanceFrame.self) { kind = first.kind.map { $0 + "[]" } }
            return
        }
        stream = try? container.decodeIfPresent(String.self, forKey: .stream)
        kind = try? container.decodeIfPresent(String.self, forKey: .e)
        symbol = (try? container.decodeIfPresent(String.self, forKey: .s))?.lowercased()
        id = try? container.decodeIfPresent(Int.self, forKey: .id)
        if let error = try? container.decodeIfPresent(JSON.self, forKey: .error), !error.isNull {
            fault = BinanceError(error)
        } else if container.contains(.code), container.contains(.msg) {
            let code = (try? container.decode(Int.self, forKey: .code)) ?? 0
            fault = BinanceError(code: code, message: (try? container.decode(String.self, forKey: .msg)) ?? "")
        } else if stream != nil {
            let data = try? container.nestedContainer(keyedBy: CodingKeys.self, forKey: .data)
            kind = try? data?.decodeIfPresent(String.self, forKey: .e)
        }
        if kind == nil, container.contains(.u), container.contains(.b), container.contains(.a) { kind = "bookTicker" }
        if let kline = try? container.nestedContainer(keyedBy: CodingKeys.self, forKey: .k) {
            interval = try? kline.decodeIfPresent(String.self, forKey: .i)
        }
    }

    /// Returns true if the event belongs to a stream, by its type and symbol.
    func belongs(to stream: String) -> Bool {
        guard let kind else { return false }
        let parts = stream.split(separator: "@", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return false }
        let (subject, rest) = (parts[0], parts[1])
        if kind.hasSuffix("[]") {
            return subject.hasPrefix("!") && Self.name(String(kind.dropLast(2))) == subject.dropFirst()
        }
        guard subject == symbol || subject == "!" + Self.name(kind) else { return false }
        if kind == "kline" { return rest == "kline_\(interval ?? "")" || rest.hasPrefix("kline_\(interval ?? "")@") }
        let name = Self.name(kind)
        return rest == name || rest.hasPrefix(name + "@")
    }

    /// Returns the name in stream names for a type of event.
    private static func name(_ kind: String) -> String {
        switch kind {
        case "depthUpdate": "depth"
        case "24hrTicker": "ticker"
        case "24hrMiniTicker": "miniTicker"
        case "1hTicker": "ticker_1h"
        case "4hTicker": "ticker_4h"
        case "1dTicker": "ticker_1d"
        default: kind
        }
    }
}
