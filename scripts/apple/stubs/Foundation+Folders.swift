// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of the parts of Apple's Foundation that concern folders and volumes, for type-checking; it is never run.

extension FileManager {
    // https://developer.apple.com/documentation/foundation/filemanager/searchpathdirectory
    public enum SearchPathDirectory: UInt, Sendable {
        case documentDirectory, cachesDirectory, applicationSupportDirectory
    }
    // https://developer.apple.com/documentation/foundation/filemanager/searchpathdomainmask
    public struct SearchPathDomainMask: OptionSet, Sendable {
        // https://developer.apple.com/documentation/foundation/filemanager/searchpathdomainmask/rawvalue
        public let rawValue: UInt
        // https://developer.apple.com/documentation/foundation/filemanager/searchpathdomainmask/init(rawvalue:)
        public init(rawValue: UInt) { self.rawValue = rawValue }
        // https://developer.apple.com/documentation/foundation/filemanager/searchpathdomainmask/userdomainmask
        public static let userDomainMask = SearchPathDomainMask(rawValue: 1)
    }
    // https://developer.apple.com/documentation/foundation/filemanager/urls(for:in:)
    public func urls(for directory: SearchPathDirectory, in domainMask: SearchPathDomainMask) -> [URL] { [] }
}

// https://developer.apple.com/documentation/foundation/bundle
open class Bundle: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/bundle/main
    open class var main: Bundle { fatalError("a stub") }
    // https://developer.apple.com/documentation/foundation/bundle/bundleidentifier
    open var bundleIdentifier: String? { nil }
}

// https://developer.apple.com/documentation/foundation/urlresourcekey
public struct URLResourceKey: Hashable, Sendable {
    // https://developer.apple.com/documentation/foundation/urlresourcekey/volumeavailablecapacityforimportantusagekey
    @available(macOS 10.13, iOS 11.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public static let volumeAvailableCapacityForImportantUsageKey = URLResourceKey()
}

// https://developer.apple.com/documentation/foundation/urlresourcevalues
public struct URLResourceValues: Sendable {
    // https://developer.apple.com/documentation/foundation/urlresourcevalues/init()
    public init() {}
    // https://developer.apple.com/documentation/foundation/urlresourcevalues/isexcludedfrombackup
    public var isExcludedFromBackup: Bool? { get { nil } set {} }
    // https://developer.apple.com/documentation/foundation/urlresourcevalues/volumeavailablecapacityforimportantusage
    @available(macOS 10.13, iOS 11.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public var volumeAvailableCapacityForImportantUsage: Int64? { nil }
}

extension URL {
    // https://developer.apple.com/documentation/foundation/url/resourcevalues(forkeys:)
    public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues { URLResourceValues() }
    // https://developer.apple.com/documentation/foundation/url/setresourcevalues(_:)
    public mutating func setResourceValues(_ values: URLResourceValues) throws {}
}
