// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

extension TransportError {
    /// The failure of a stub that cannot be answered with.
    init(badStub message: String) {
        self.init(.unknown, phase: .head, message: "the stub is not valid: \(message)", requestMayHaveBeenSent: false)
    }

    /// An error as a stub's call fails with it.
    init(stubbing error: any Error) {
        self =
            error as? TransportError
            ?? TransportError(.unknown, phase: .head, message: "\(error)", underlying: error)
    }
}
