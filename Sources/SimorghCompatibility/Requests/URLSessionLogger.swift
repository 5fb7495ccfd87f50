// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// An alias of ``/SimorghCore/NetworkLogger``.
public typealias URLSessionLogger = NetworkLogger
