// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The shape of Darwin's C library, as far as the core uses it: what Swift gives another face. For type-checking; nothing
// here runs.
@_exported import CDarwin

public func open(_ path: UnsafePointer<CChar>, _ flags: CInt) -> CInt { 0 }
public func open(_ path: UnsafePointer<CChar>, _ flags: CInt, _ mode: mode_t) -> CInt { 0 }
public func fcntl(_ file: CInt, _ command: CInt) -> CInt { 0 }
public func fcntl(_ file: CInt, _ command: CInt, _ value: CInt) -> CInt { 0 }
public func fcntl(_ file: CInt, _ command: CInt, _ pointer: UnsafeMutableRawPointer) -> CInt { 0 }
public var errno: CInt {
    get { 0 }
    set {}
}
public var S_IFMT: mode_t { 0o170000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFDIR: mode_t { 0o040000 }
