// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// What a client's settings name, so that `import SimorghCore` is enough to write them. Of SimorghSupport it is the clock
// alone: the rest of it belongs to the package, and it would bring Foundation and the C library.
@_exported public import SimorghMimeTypes
@_exported public import SimorghNetwork

@_exported public import struct SimorghSupport.TimeSource
