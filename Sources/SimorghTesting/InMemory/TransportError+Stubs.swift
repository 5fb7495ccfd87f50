// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

extension TransportError {
    /// Creates the error for a stub that is not valid.
    init(badStub message: String) {
        self.init(.unknown, phase: .head, message: "the stub is not valid: \(message)", requestMayHaveBeenSent: false)
    }

    /// Creates the transport error for the error of a stub.
    init(stubbing error: any Error) {
        self =
            error as? TransportError
            ?? TransportError(.unknown, phase: .head, message: "\(error)", underlying: error)
    }
}
