// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The main program of every benchmarked client: reads the arguments, keeps requests in flight, and prints their cost.
///
///     bench-CLIENT URL [--requests N] [--inflight K] [--warmup W] [--http1 | --http2] [--root FILE] [--streamed] [--once]
///                      [--loop] [--open N] [--waiting N] [--hosts N] [--cached] [--cached-on-disk FOLDER] [--reload]
///                      [--urls N] [--seen off | left | log | events | metrics] [--cold LENGTH] [--upload BYTES]
///                      [--stalled N] [--read BYTES]
public struct Harness: Sendable {
    /// The URL to fetch.
    public var url: String
    /// The number of measured requests.
    public var requests = 1000
    /// The number of concurrent requests.
    public var inFlight = 1
    /// The number of requests before the measured ones, which open connections and fill caches.
    public var warmup = 100
    /// True to use only HTTP/1.1, and true to use only HTTP/2.
    public var isHTTP1 = false, isHTTP2 = false
    /// The file with the certificate to trust, or `nil` for those of the system.
    public var root: String?
    /// True to count the bytes of a streamed body instead of collecting it.
    public var isStreamed = false
    /// True to send a single request.
    public var isOnce = false
    /// The expected length of each body if the measured requests are the first ones, so that connecting is measured,
    /// too; `nil` for a first request and a warm-up before them.
    public var cold: Int?
    /// The length of the body that each request uploads; 0 for a GET.
    public var upload = 0
    /// True to keep the requests on one event loop.
    ///
    /// This and the following options apply only to Simorgh's program.
    public var isOnLoop = false
    /// The number of concurrent requests to a server that never responds.
    public var open = 0
    /// The number of requests that wait for a connection to a host at its connection limit.
    public var waiting = 0
    /// The number of other hosts with an idle connection.
    public var hosts = 0

    /// True to cache responses in memory, and the folder of a disk cache, used instead or in addition.
    public var isCached = false, cacheFolder: String?
    /// True to load each response from the network and replace the cached one.
    public var isReloaded = false
    /// The number of URLs to request in turn, which differ in their query; 1 leaves the URL as it is.
    public var urls = 1

    /// The number of streamed responses whose readers stop, and the number of bytes that each reads before.
    public var stalled = 0, read = 0

    /// The observation: `off` and `left` set up all and enable nothing; `log`, `events` and `metrics` enable that.
    public var observation: String?

    /// Reads the arguments; prints the usage and ends the program if they are invalid.
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
            case "--seen": observation = rest.popFirst()
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

    /// A function that fetches the URL once and returns the length of the body.
    public typealias Get = @Sendable () async throws -> Int
    /// A function that runs all requests.
    public typealias Burst = @Sendable (_ run: @escaping @Sendable () async throws -> Void) async throws -> Void

    /// Runs the requests, writes one line of JSON with what they cost to the standard output, and ends the program.
    ///
    /// The main thread only waits: an asynchronous `main` would run the main queue on it, whose system call for waiting
    /// crashes the Valgrind of Debian 12.
    ///
    /// - Parameters:
    ///   - client: The name of the client, for the line.
    ///   - prepare: Makes the client.
    /// - Returns: Never.
    public static func measure(
        _ client: String, prepare: @escaping @Sendable (Harness) async throws -> Get
    ) -> Never {
        measure(client) { harness in (get: try await prepare(harness), burst: { try await $0() }) }
    }

    /// Like `measure(_:prepare:)`, for a client that does work around the requests.
    ///
    /// - Parameters:
    ///   - client: The name of the client, for the line.
    ///   - prepare: Makes the client.
    /// - Returns: Never.
    public static func measure(
        _ client: String, prepare: @escaping @Sendable (Harness) async throws -> (get: Get, burst: Burst)
    ) -> Never {
        let harness = Harness(CommandLine.arguments)
        Task {
            do {
                let (get, burst) = try await prepare(harness)
                print(try await harness.line(client: client, get: get, burst: burst))
                exit(0)
            } catch {
                print("\(client): \(error)")
                exit(1)
            }
        }
        while true { pause() }
    }

    private func line(client: String, get: @escaping Get, burst: Burst) async throws -> String {
        let length: Int
        if let cold {
            length = cold
        } else {
            length = try await get()
            if isOnce { return #"{"client": "\#(client)", "bytes": \#(length)}"# }
            try await burst { try await repeatedly(max(warmup, inFlight), length: length, get: get) }
        }
        let start = Usage.now()
        try await burst { try await repeatedly(requests, length: length, get: get) }
        let cost = Usage.now() - start
        return #"{"client": "\#(client)", "requests": \#(requests), "inFlight": \#(inFlight), "#
            + #""bytes": \#(length), "wall": \#(cost.wall), "cpu": \#(cost.cpu)}"#
    }

    private func repeatedly(_ count: Int, length: Int, get: @escaping Get) async throws {
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
