// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Wall time, and processor time of all threads of this process, in seconds.
struct Usage {
    var wall: Double
    var cpu: Double

    static func now() -> Usage {
        var clock = timespec()
        clock_gettime(CLOCK_MONOTONIC, &clock)
        var processor = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor)
        return Usage(wall: seconds(clock), cpu: seconds(processor))
    }

    static func - (end: Usage, start: Usage) -> Usage {
        Usage(wall: end.wall - start.wall, cpu: end.cpu - start.cpu)
    }

    private static func seconds(_ time: timespec) -> Double {
        Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
