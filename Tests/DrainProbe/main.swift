// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// DrainProbe URL MILLISECONDS: sends requests to a server until SIGTERM, and then drains its client within a time.
// Without the trait ServiceLifecycle the program is empty.

#if ServiceLifecycle
import Logging
import ServiceLifecycle
import Simorgh
import SimorghServices
import Synchronization
import UnixSignals

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Prints a line at once: the standard output is a pipe, which `print` would buffer.
func say(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { bytes in _ = write(1, bytes.baseAddress, bytes.count) }
}

/// Several workers that send requests, one after another, until the client refuses one.
struct Load: Service {
    struct Counts: Sendable {
        var answered = 0
        var refused = 0
        var lost = 0
    }

    final class SharedCounts: Sendable {
        let all = Mutex(Counts())
    }

    let client: APIClient

    func run() async throws {
        let counts = SharedCounts()
        await withTaskGroup(of: Void.self) { group in
            // The last worker sends no request that the server holds back.
            for worker in 0...8 { group.addTask { await work(worker, holds: worker < 8, counts: counts) } }
        }
        let sums = counts.all.withLock { $0 }
        say("answered \(sums.answered) refused \(sums.refused) lost \(sums.lost)")
        try? await gracefulShutdown()
    }

    private func work(_ worker: Int, holds: Bool, counts: SharedCounts) async {
        for number in 0... {
            let kind = holds && number == 20 ? "held" : "fast"
            do {
                try await client.call(.post, "\(kind)/\(worker)/\(number)").void()
                counts.all.withLock { $0.answered += 1 }
            } catch let error as NetworkError where error.underlyingError is ClientDrainedError {
                counts.all.withLock { $0.refused += 1 }
                if !holds { say("refused") }
                return
            } catch {
                counts.all.withLock { $0.lost += 1 }
                if !client.isDraining { say("failed: \(error)") }
            }
        }
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let milliseconds = Int(arguments[2]) else {
    say("usage: DrainProbe URL MILLISECONDS")
    exit(2)
}
let client = APIClient(baseURL: arguments[1])
let service = ClientService(client, drainingWithin: .milliseconds(milliseconds)) { report in
    say("cut \(report.calls) sent \(report.requests.count)")
}
// The group shuts down the last service first, so that the load meets the draining client.
let group = ServiceGroup(
    configuration: ServiceGroupConfiguration(
        services: [Load(client: client), service], gracefulShutdownSignals: [.sigterm],
        logger: Logger(label: "DrainProbe") { _ in SwiftLogNoOpLogHandler() }))
try await group.run()
say("ended")
#endif
