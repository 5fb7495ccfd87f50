// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The target that this process runs.
private let chosen: FuzzTarget = {
    let name = getenv("SIMORGH_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        // What scripts/fuzz reads.
        print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
        fflush(nil)
        // Not with exit, which libFuzzer takes for a fault of the target.
        _exit(2)
    }
    return target
}()

/// What libFuzzer, which has `main`, calls with each input.
///
/// - Parameters:
///   - start: Its first byte.
///   - count: How many there are.
/// - Returns: Zero, as libFuzzer wants it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var bytes = FuzzBytes(UnsafeRawBufferPointer(start: start, count: count))
    chosen.run(&bytes)
    return 0
}
