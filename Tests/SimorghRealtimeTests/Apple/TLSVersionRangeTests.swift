// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TLSVersionRangeTests {
    @Test("The TLS versions are those that the options and the session's configuration allow")
    func versions() {
        var options = TLSOptions()
        let (tls10, tls12, tls13): (UInt16, UInt16, UInt16) = (0x0301, 0x0303, 0x0304)
        #expect(TLSVersionRange(options, configured: tls10, 0).minimum == tls12)
        #expect(TLSVersionRange(options, configured: tls10, 0).maximum == tls13)
        #expect(TLSVersionRange(options, configured: tls13, tls13).minimum == tls13)
        #expect(TLSVersionRange(options, configured: tls10, tls12).maximum == tls12)
        #expect(TLSVersionRange(options) == TLSVersionRange(options, configured: tls12, tls13))
        (options.minimumVersion, options.maximumVersion) = (.tls13, .tls13)
        #expect(TLSVersionRange(options, configured: tls10, tls13).minimum == tls13)
        options = TLSOptions()
        options.maximumVersion = .tls12
        #expect(TLSVersionRange(options, configured: tls10, tls13).maximum == tls12)
        #expect(TLSVersionRange(options).maximum == tls12)
    }
}
