// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import SimorghCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The cost of network monitors in a process that does nothing else.
enum MonitorCost {
    /// Runs one monitor, and twice many of them, which are first stopped and then released.
    ///
    /// Prints five numbers: the threads with one and with many monitors; the descriptors before, with many, and after.
    static func printCost(_ count: Int) {
        let before = descriptors
        let first = NetworkMonitor()
        first.startMonitoring()
        let one = threads
        first.stopMonitoring()
        var (many, most, after) = (0, 0, 0)
        for isStopped in [true, false] {
            var monitors = (0..<count).map { _ in NetworkMonitor() }
            for monitor in monitors { monitor.startMonitoring() }
            most = max(most, descriptors)
            // Dispatch's additional threads for a burst of work end after some idle seconds.
            many = max(many, settled(below: one + count / 4) { threads })
            if isStopped { for monitor in monitors { monitor.stopMonitoring() } } else { monitors = [] }
            after = max(after, settled(below: before + 1) { descriptors })
        }
        print(one, many, before, most, after)
    }

    /// Returns a number as soon as it is below a limit, or its value after half a minute.
    private static func settled(below limit: Int, _ number: () -> Int) -> Int {
        let end = ContinuousClock.now.advanced(by: .seconds(30))
        var last = number()
        while last >= limit, ContinuousClock.now < end {
            poll(nil, 0, 20)
            last = number()
        }
        return last
    }

    private static var threads: Int { entries(of: "/proc/self/task").count }

    /// The number of descriptors, without the few that Dispatch keeps for the whole process.
    private static var descriptors: Int {
        entries(of: "/proc/self/fd").count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return target.map { !$0.hasPrefix("anon_inode:") } ?? false
        }
    }

    private static func entries(of folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
#endif
