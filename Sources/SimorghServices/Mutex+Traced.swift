// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if SIMORGH_TSAN
import SimorghSupport

// See TracedMutex: a module's own name hides the imported one.
typealias Mutex = TracedMutex
#endif
