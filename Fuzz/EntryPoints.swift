// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The target of this process.
private let chosen: FuzzTarget = {
    let name = getenv("SIMORGH_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        // scripts/interop/fuzz reads this list.
        print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
        fflush(nil)
        // Not with exit, which libFuzzer reports as a fault of the target.
        _exit(2)
    }
    return target
}()

/// Runs the target with one input; called by libFuzzer, which has `main`.
///
/// - Parameters:
///   - start: The first byte of the input.
///   - count: The number of bytes.
/// - Returns: Zero, as libFuzzer requires.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var bytes = FuzzBytes(UnsafeRawBufferPointer(start: start, count: count))
    chosen.run(&bytes)
    return 0
}
