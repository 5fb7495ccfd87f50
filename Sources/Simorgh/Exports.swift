// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// One import for everything that the platform supports.
@_exported public import HTTPTypes
@_exported public import SimorghCombine
@_exported public import SimorghCompatibility
@_exported public import SimorghCore
@_exported public import SimorghDownloads
@_exported public import SimorghREST
@_exported public import SimorghRealtime

// The default transport: on Apple platforms the system's stack, elsewhere the engine.
#if canImport(Darwin)
@_exported public import SimorghURLSession
#else
@_exported public import SimorghNIO
#endif
