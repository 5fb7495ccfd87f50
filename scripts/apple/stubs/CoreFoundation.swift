// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of Apple's CoreFoundation with the declarations that this project uses, for type-checking; it is never run.
// The stub of Foundation cannot bridge types, which needs Objective-C. So the types that Apple bridges are the Swift types here, and
// `as CFString` is an upcast.

// https://developer.apple.com/documentation/corefoundation/cfstring
public typealias CFString = String
// https://developer.apple.com/documentation/corefoundation/cfarray
public typealias CFArray = [Any]
// https://developer.apple.com/documentation/corefoundation/cfdictionary
public typealias CFDictionary = [String: Any]
// https://developer.apple.com/documentation/corefoundation/cfindex
public typealias CFIndex = Int
// https://developer.apple.com/documentation/corefoundation/cftyperef
public typealias CFTypeRef = AnyObject
// https://developer.apple.com/documentation/corefoundation/cfhashcode
public typealias CFHashCode = UInt
// https://developer.apple.com/documentation/corefoundation/cfequal(_:_:)
public func CFEqual(_ cf1: CFTypeRef!, _ cf2: CFTypeRef!) -> Bool { cf1 === cf2 }
// https://developer.apple.com/documentation/corefoundation/cfhash(_:)
public func CFHash(_ cf: CFTypeRef!) -> CFHashCode { 0 }
// https://developer.apple.com/documentation/corefoundation/cfallocator
public final class CFAllocator: @unchecked Sendable {}
// https://developer.apple.com/documentation/corefoundation/cferror
public final class CFError: Error, @unchecked Sendable {}
// https://developer.apple.com/documentation/corefoundation/cferrorgetcode(_:)
public func CFErrorGetCode(_ err: CFError!) -> CFIndex { 0 }
// https://developer.apple.com/documentation/corefoundation/cferrorcopydescription(_:)
public func CFErrorCopyDescription(_ err: CFError!) -> CFString! { "" }
// https://developer.apple.com/documentation/corefoundation/cfdata
public final class CFData: @unchecked Sendable {}
// https://developer.apple.com/documentation/corefoundation/cfdatacreate(_:_:_:)
public func CFDataCreate(_ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) -> CFData! {
    CFData()
}
// https://developer.apple.com/documentation/corefoundation/cfdatagetlength(_:)
public func CFDataGetLength(_ theData: CFData!) -> CFIndex { 0 }
// https://developer.apple.com/documentation/corefoundation/cfdatagetbyteptr(_:)
public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! { nil }
