// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The modules with types of a client's settings, so that `import SimorghCore` is enough to write them. SimorghSupport
// contributes only the clock: the rest of it is internal to the package, and would import Foundation and the C library.
@_exported public import SimorghMimeTypes
@_exported public import SimorghNetwork

@_exported public import struct SimorghSupport.TimeSource
