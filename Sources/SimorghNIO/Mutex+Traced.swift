// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if SIMORGH_TSAN
import SimorghSupport

// Shadows the imported `Mutex` in this module: a name that the module itself declares takes precedence.
typealias Mutex = TracedMutex
#endif
