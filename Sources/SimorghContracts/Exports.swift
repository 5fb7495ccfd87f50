// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The client and the stubs that a contract works with.
@_exported public import SimorghCore
@_exported public import SimorghTesting
