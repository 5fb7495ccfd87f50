// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The stubs and cassettes that the traits of this module provide.
@_exported public import SimorghTesting
