// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The shape of Darwin's C library, as far as the core uses it. For type-checking; nothing here runs.
@_exported import CDarwin

public func access(_ path: UnsafePointer<CChar>?, _ mode: CInt) -> CInt { 0 }
public func open(_ path: UnsafePointer<CChar>, _ flags: CInt) -> CInt { 0 }
public func read(_ file: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int { 0 }
public func close(_ file: CInt) -> CInt { 0 }
public func strerror(_ code: CInt) -> UnsafeMutablePointer<CChar> { fatalError("a stub") }
public var errno: CInt { 0 }
public var EINTR: CInt { 4 }
public var R_OK: CInt { 4 }
public var O_RDONLY: CInt { 0 }
public var O_CLOEXEC: CInt { 0x1000000 }
public var S_IFMT: UInt16 { 0o170000 }
public var S_IFREG: UInt16 { 0o100000 }
public struct in_addr { public init() {} }
public struct in6_addr { public init() {} }
public var AF_INET: CInt { 2 }
public var AF_INET6: CInt { 30 }
public func inet_pton(_ family: CInt, _ text: UnsafePointer<CChar>, _ address: UnsafeMutableRawPointer?) -> CInt { 0 }
