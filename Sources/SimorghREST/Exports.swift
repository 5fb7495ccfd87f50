// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The client that the functions of this module extend.
@_exported public import SimorghCore
