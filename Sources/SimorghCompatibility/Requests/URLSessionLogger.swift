// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// The name under which some know a ``/SimorghCore/NetworkLogger``.
public typealias URLSessionLogger = NetworkLogger
