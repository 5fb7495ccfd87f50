// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What every benchmarked client's program does: read the arguments, keep so many requests in flight, say what it cost.
///
///     bench-CLIENT URL [--requests N] [--inflight K] [--warmup W] [--http1 | --http2] [--root FILE] [--streamed] [--once]
///                      [--loop] [--open N] [--waiting N] [--hosts N] [--cached] [--cached-on-disk FOLDER] [--reload]
///                      [--urls N] [--seen off | left | log | events | metrics] [--cold LENGTH] [--upload BYTES]
///                      [--stalled N] [--read BYTES]
public struct Harness: Sendable {
    /// What is fetched.
    public var url: String
    /// How many requests are measured.
    public var requests = 1000
    /// How many run at a time.
    public var inFlight = 1
    /// How many requests come before those that are measured, so that connections are open and caches filled.
    public var warmup = 100
    /// Whether only HTTP/1.1 is to be spoken, and whether only HTTP/2.
    public var isHTTP1 = false, isHTTP2 = false
    /// The file with the certificate to trust; `nil` for those that the system trusts.
    public var root: String?
    /// Whether the body is counted as it comes, and not collected.
    public var isStreamed = false
    /// Whether one request is made and no more.
    public var isOnce = false
    /// The expected length of each body if the measured requests are the first ones, so that connecting is measured, too;
    /// `nil` for a first request and a warm-up before them.
    public var cold: Int?
    /// The length of the body that each request uploads; 0 for a GET.
    public var upload = 0
    /// Whether the requests stay on one of the engine's event loops; this and what follows only Simorgh's program looks at.
    public var isOnLoop = false
    /// How many requests to somebody who never answers are on their way meanwhile.
    public var open = 0
    /// How many requests wait meanwhile for a connection to a host that has none to spare.
    public var waiting = 0
    /// How many other hosts there are to which a connection idles meanwhile.
    public var hosts = 0

    /// Whether responses are kept in memory, and the folder in which they are kept, instead or too.
    public var isCached = false, cacheFolder: String?
    /// Whether each response comes from the network although one is kept, and takes its place.
    public var isReloaded = false
    /// How many URLs are asked for in turn, which differ in their query; 1 leaves the URL as it is.
    public var urls = 1

    /// The number of streamed responses whose readers stop, and the number of bytes that each of them reads before.
    public var stalled = 0, read = 0

    /// Who looks on: `off` and `left`, everything set up and nothing on; `log`, `events` and `metrics`, that one thing on.
    public var seen: String?

    /// Reads the program's arguments, and ends it with the usage where they make no sense.
    init(_ arguments: [String]) {
        url = ""
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            switch argument {
            case "--requests": requests = Harness.count(rest.popFirst())
            case "--inflight": inFlight = Harness.count(rest.popFirst())
            case "--warmup": warmup = Harness.count(rest.popFirst())
            case "--http1": isHTTP1 = true
            case "--http2": isHTTP2 = true
            case "--loop": isOnLoop = true
            case "--open": open = Harness.count(rest.popFirst())
            case "--waiting": waiting = Harness.count(rest.popFirst())
            case "--hosts": hosts = Harness.count(rest.popFirst())
            case "--cached": isCached = true
            case "--cached-on-disk": cacheFolder = rest.popFirst()
            case "--reload": isReloaded = true
            case "--urls": urls = Harness.count(rest.popFirst())
            case "--seen": seen = rest.popFirst()
            case "--cold": cold = Harness.count(rest.popFirst())
            case "--upload": upload = Harness.count(rest.popFirst())
            case "--stalled": stalled = Harness.count(rest.popFirst())
            case "--read": read = Harness.count(rest.popFirst())
            case "--root": root = rest.popFirst()
            case "--streamed": isStreamed = true
            case "--once": isOnce = true
            default: url = argument
            }
        }
        if url.isEmpty { Harness.usage() }
    }

    /// What fetches the URL once and returns the length of the collected body.
    public typealias Get = @Sendable () async throws -> Int
    /// What runs all of them.
    public typealias Burst = @Sendable (_ run: @escaping @Sendable () async throws -> Void) async throws -> Void

    /// Runs the requests, writes one line of JSON with what they cost to the standard output, and ends the program.
    ///
    /// The main thread only waits: an asynchronous `main` would leave it to the main queue, whose way of waiting kills
    /// the Valgrind of Debian 12.
    ///
    /// - Parameters:
    ///   - client: The name of the client, for the line.
    ///   - prepare: Makes the client.
    /// - Returns: Never.
    public static func measure(
        _ client: String, _ prepare: @escaping @Sendable (Harness) async throws -> Get
    ) -> Never {
        measure(client) { harness in (get: try await prepare(harness), burst: { try await $0() }) }
    }

    /// The same, for a client that has something to do around the requests.
    ///
    /// - Parameters:
    ///   - client: The name of the client, for the line.
    ///   - prepare: Makes the client.
    /// - Returns: Never.
    public static func measure(
        _ client: String, _ prepare: @escaping @Sendable (Harness) async throws -> (get: Get, burst: Burst)
    ) -> Never {
        let harness = Harness(CommandLine.arguments)
        Task {
            do {
                let (get, burst) = try await prepare(harness)
                print(try await harness.line(client, get, burst))
                exit(0)
            } catch {
                print("\(client): \(error)")
                exit(1)
            }
        }
        while true { pause() }
    }

    private func line(_ client: String, _ get: @escaping Get, _ burst: Burst) async throws -> String {
        let length: Int
        if let cold {
            length = cold
        } else {
            length = try await get()
            if isOnce { return #"{"client": "\#(client)", "bytes": \#(length)}"# }
            try await burst { try await repeatedly(max(warmup, inFlight), length: length, get) }
        }
        let start = Usage.now()
        try await burst { try await repeatedly(requests, length: length, get) }
        let cost = Usage.now() - start
        return #"{"client": "\#(client)", "requests": \#(requests), "inFlight": \#(inFlight), "#
            + #""bytes": \#(length), "wall": \#(cost.wall), "cpu": \#(cost.cpu)}"#
    }

    private func repeatedly(_ count: Int, length: Int, _ get: @escaping Get) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<inFlight {
                let share = count / inFlight + (worker < count % inFlight ? 1 : 0)
                group.addTask {
                    for _ in 0..<share {
                        let received = try await get()
                        guard received == length else { throw UnexpectedLength(expected: length, received: received) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func count(_ text: String?) -> Int {
        guard let text, let count = Int(text), count > 0 else { usage() }
        return count
    }

    private static func usage() -> Never {
        print(
            """
            usage: bench-CLIENT URL [--requests N] [--inflight K] [--warmup W] [--http1 | --http2] [--root FILE]
                                    [--streamed] [--once] [--loop] [--open N] [--waiting N] [--hosts N]
                                    [--cached] [--cached-on-disk FOLDER] [--reload]
                                    [--urls N] [--seen off | left | log | events | metrics]
                                    [--cold LENGTH] [--upload BYTES] [--stalled N] [--read BYTES]
            """)
        exit(64)
    }
}
