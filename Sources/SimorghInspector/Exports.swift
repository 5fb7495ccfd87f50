// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The clients and the download managers that an inspector watches.
@_exported public import SimorghCore
@_exported public import SimorghDownloads
