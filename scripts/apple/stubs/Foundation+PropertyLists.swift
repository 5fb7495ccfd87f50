// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of the parts of Apple's Foundation that concern property lists, for type-checking; it is never run.

// https://developer.apple.com/documentation/foundation/propertylistserialization
open class PropertyListSerialization: NSObject {
    // https://developer.apple.com/documentation/foundation/propertylistserialization/propertylistformat
    public enum PropertyListFormat: UInt, Sendable { case openStep = 1, xml = 100, binary = 200 }
}

// https://developer.apple.com/documentation/foundation/propertylistdecoder
open class PropertyListDecoder {
    // https://developer.apple.com/documentation/foundation/propertylistdecoder/init()
    public init() {}
    // https://developer.apple.com/documentation/foundation/propertylistdecoder/decode(_:from:)
    open func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { fatalError("a stub") }
}

// https://developer.apple.com/documentation/foundation/propertylistencoder
open class PropertyListEncoder {
    // https://developer.apple.com/documentation/foundation/propertylistencoder/init()
    public init() {}
    // https://developer.apple.com/documentation/foundation/propertylistencoder/outputformat
    open var outputFormat: PropertyListSerialization.PropertyListFormat { get { .xml } set {} }
    // https://developer.apple.com/documentation/foundation/propertylistencoder/encode(_:)
    open func encode<Value: Encodable>(_ value: Value) throws -> Data { fatalError("a stub") }
}
