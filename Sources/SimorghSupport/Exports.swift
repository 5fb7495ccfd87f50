// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// Re-exports Foundation, the C library and Deque, so that each file of the package imports this module only. On Linux
// Foundation is FoundationEssentials, since the complete Foundation would link ICU.
@_exported public import DequeModule

// Also with a package of that name, Apple platforms use their own Foundation: its types differ.
#if canImport(FoundationEssentials) && !canImport(Darwin)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#elseif canImport(Android)
@_exported public import Android
#elseif canImport(Darwin)
@_exported public import Darwin
#endif
