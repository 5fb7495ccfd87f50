// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if SIMORGH_TSAN
import SimorghSupport

// A module's own declaration hides the imported one; see TracedMutex.
typealias Mutex = TracedMutex
#endif
