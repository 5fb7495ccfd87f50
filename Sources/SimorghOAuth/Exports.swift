// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The client over which tokens are requested, and the tokens themselves.
@_exported public import SimorghCore
