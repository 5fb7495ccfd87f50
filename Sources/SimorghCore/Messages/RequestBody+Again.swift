// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension RequestBody {
    /// Whether a request with this body can be sent a second time.
    package var canBeSentAgain: Bool { isEmpty || replayability > .once }
}
