// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The client, and the types that queries share with subscriptions.
@_exported public import SimorghCore
@_exported public import SimorghRealtime
