// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The client and the messages that this module signs.
@_exported public import SimorghCore
