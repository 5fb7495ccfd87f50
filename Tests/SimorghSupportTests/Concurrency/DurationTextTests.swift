// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@Suite(.timeLimit(.minutes(5)))
struct DurationTextTests {
    @Test(
        "A duration in a message is rounded for readers",
        arguments: [
            (Duration.seconds(1.999734641), "2 seconds"), (.milliseconds(8465.9), "8.5 seconds"),
            (.seconds(1), "1 second"), (.milliseconds(999.6), "1 second"), (.milliseconds(1040), "1 second"),
            (.milliseconds(250), "250 milliseconds"), (.milliseconds(1), "1 millisecond"), (.zero, "0 milliseconds"),
            (.seconds(-3), "0 milliseconds"), (.seconds(300), "300 seconds"), (.seconds(60.04), "60 seconds"),
        ])
    func shown(duration: Duration, text: String) {
        #expect(duration.shown == text)
    }

    @Test("A century is 100 years, also where an integer has 32 bits")
    func century() {
        #expect(Duration.century == .seconds(Double(36_525 * 86_400)))
        #expect(Duration(clampingSeconds: .infinity) == .century)
        #expect(Duration.century.shown == "3155760000 seconds")
    }

    @Test("The longest duration has a text, too")
    func longest() {
        #expect(Duration.seconds(Int64.max).shown.hasSuffix(" seconds"))
    }

    @Test("A timeout message names the setting")
    func setting() {
        let head = TransportError.timedOut(.head, after: .seconds(60), requestMayHaveBeenSent: true)
        #expect(head.message == "the head phase took longer than 60 seconds (timeouts.head)")
        let idle = TransportError.timedOut(.body, after: .seconds(2.5), requestMayHaveBeenSent: true)
        #expect(idle.message == "the body phase took longer than 2.5 seconds (timeouts.idle)")
    }

    @Test(
        "A system error is described by its text and its name",
        arguments: [(ECONNRESET, "(ECONNRESET)"), (EPIPE, "(EPIPE)")])
    func system(code: CInt, name: String) {
        #expect(ErrnoText.of(code) == "\(String(cString: strerror(code))) \(name)")
        #expect(ErrnoText.of(12_345).hasSuffix("(errno 12345)"))
    }
}
