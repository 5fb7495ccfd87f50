// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import Testing

/// Through a proxy that is slow, lossy or cuts connections off: no partial body is taken for a complete one, and no
/// request outlasts its timeout.
@Suite("Connections that break off", .timeLimit(.minutes(10)))
struct CutOffTests {
    enum Version: String, CaseIterable, Sendable {
        case http1, http2

        static let size = 1_048_576

        /// Runs a closure with a server of this version behind a fault proxy, and a factory of requests for 1 MiB.
        func with(
            _ configuration: FaultProxy.Configuration = .init(),
            _ body: (FaultProxy, (Duration, TransportOptions.Delivery) throws -> TransportRequest) async throws -> Void
        ) async throws {
            switch self {
            case .http1:
                try await MockServer.with { server in
                    server.addHTTPBinRoutes()
                    let target = TransportRequest(
                        head: HTTPRequest(
                            method: .get, scheme: "http", authority: "", path: "/bytes/\(Self.size)?seed=1"))
                    try await FaultProxy.with(configuration, to: server.port) { proxy in
                        try await body(proxy) { Self.request(target, proxy, $0, $1) }
                    }
                }
            case .http2:
                let target = try Peer.nginxInTheClear.request(.get, "/1m")
                let port = try #require(target.head.authority?.split(separator: ":").last.flatMap { Int($0) })
                try await FaultProxy.with(configuration, to: port) { proxy in
                    try await body(proxy) { Self.request(target, proxy, $0, $1) }
                }
            }
        }

        private static func request(
            _ target: TransportRequest, _ proxy: FaultProxy, _ total: Duration, _ delivery: TransportOptions.Delivery
        ) -> TransportRequest {
            target.with {
                $0.head.authority = "127.0.0.1:\(proxy.port)"
                ($0.options.timeouts.head, $0.options.timeouts.idle) = (nil, nil)
                $0.options.timeouts.total = total
                $0.options.delivery = delivery
            }
        }
    }

    private static let collected = TransportOptions.Delivery.collected(upTo: 2_000_000)
    private static let cuts = [0, 1, 9, 17, 60, 200, 5_000, 16_400, 500_000, 1_048_000]

    /// Returns the size of the body, collected or streamed as the request asks.
    private static func body(_ transport: NIOTransport, _ request: TransportRequest) async throws -> Int {
        let response = try await transport.send(request)
        guard request.options.delivery == .streamed else { return response.body.collectedBytes?.count ?? 0 }
        var count = 0
        for try await chunk in response.body { count += chunk.count }
        return count
    }

    @Test(
        "A response cut off at any byte, by close, reset or half-close, is an error, and the next request works",
        arguments: Version.allCases, [FaultProxy.Cut.Ending.close, .reset, .halfClose])
    func cutOff(version: Version, ending: FaultProxy.Cut.Ending) async throws {
        try await version.with { proxy, request in
            let transport = NIOTransport()
            for cut in Self.cuts {
                for delivery in [Self.collected, .streamed] {
                    var faults = FaultProxy.Faults()
                    faults.cut = .init(after: cut, ending)
                    proxy.change(downstream: faults)
                    let error = await failure {
                        try await Self.body(transport, try request(.seconds(3600), delivery))
                    }
                    #expect(error != nil, "\(cut)")
                    #expect(error?.code != .timedOut, "\(cut)")
                }
            }
            proxy.change()
            let count = try await Self.body(transport, try request(.seconds(3600), Self.collected))
            #expect(count == Version.size)
        }
    }

    @Test("A connection that stalls ends with timedOut, in any phase", arguments: Version.allCases)
    func stalled(version: Version) async throws {
        try await version.with { proxy, request in
            for cut in [0, 9, 60, 5_000, 500_000] {
                for isUpstream in [false, true] where cut < 20 || !isUpstream {
                    var faults = FaultProxy.Faults()
                    faults.cut = .init(after: cut, .stall)
                    proxy.change(
                        upstream: isUpstream ? faults : .init(), downstream: isUpstream ? .init() : faults)
                    for delivery in [Self.collected, .streamed] {
                        let error = await failure {
                            try await Self.body(NIOTransport(), try request(.milliseconds(150), delivery))
                        }
                        #expect(error?.code == .timedOut, "\(cut): \(String(describing: error))")
                    }
                }
            }
        }
    }

    @Test("A slow, narrow and lossy connection delivers concurrent bodies complete", arguments: Version.allCases)
    func far(version: Version) async throws {
        var faults = FaultProxy.Configuration()
        (faults.upstream.delay, faults.downstream.delay) = (.milliseconds(15), .milliseconds(15))
        faults.downstream.bytesPerSecond = 20_000_000
        faults.downstream.pauses = .init(every: 150_000, for: .milliseconds(10))
        try await version.with(faults) { _, request in
            let transport = NIOTransport()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<6 {
                    let request = try request(.seconds(3600), index.isMultiple(of: 2) ? Self.collected : .streamed)
                    group.addTask { try await Self.body(transport, request) }
                }
                for try await count in group { #expect(count == Version.size) }
            }
        }
    }

    @Test("A connection too slow for the total timeout ends with timedOut", arguments: Version.allCases)
    func narrow(version: Version) async throws {
        var faults = FaultProxy.Configuration()
        faults.downstream.bytesPerSecond = 20_000
        try await version.with(faults) { _, request in
            let error = await failure {
                try await Self.body(NIOTransport(), try request(.milliseconds(300), Self.collected))
            }
            #expect(error?.code == .timedOut)
        }
    }

    @Test(
        "An upload that is cut off is an error",
        arguments: [FaultProxy.Cut.Ending.close, .reset, .halfClose])
    func uploads(ending: FaultProxy.Cut.Ending) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            try await FaultProxy.with(to: server.port) { proxy in
                for cut in [0, 30, 5_000, 700_000] {
                    var faults = FaultProxy.Faults()
                    faults.cut = .init(after: cut, ending)
                    proxy.change(upstream: faults)
                    var request = TransportRequest(
                        head: HTTPRequest(
                            method: .post, scheme: "http", authority: "127.0.0.1:\(proxy.port)", path: "/upload"),
                        body: .bytes(Data(repeating: 1, count: 1_000_000)))
                    request.options.timeouts.total = .seconds(3600)
                    let error = await failure {
                        // A server may answer that the body was incomplete.
                        let response = try await NIOTransport().send(request)
                        if response.head.status.code >= 400 { throw TransportError.refused(response) }
                        return response
                    }
                    #expect(error != nil && error?.code != .timedOut, "\(cut): \(String(describing: error))")
                }
            }
        }
    }
}

extension TransportError {
    /// The error for a server that noticed that the request was cut off.
    fileprivate static func refused(_ response: TransportResponse) -> TransportError {
        TransportError(
            .badServerResponse, phase: .head, message: "\(response.head.status)", requestMayHaveBeenSent: true)
    }
}
