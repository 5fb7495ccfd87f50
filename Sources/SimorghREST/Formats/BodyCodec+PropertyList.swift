// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension BodyCodec {
    /// Property lists, sent as XML.
    ///
    /// The media types are `application/x-plist` and `application/x-apple-plist`. Both formats are read, with the bounds
    /// of ``binaryPropertyList``.
    public static let propertyList = propertyList(
        isBinary: false, mediaTypes: ["application/x-plist", "application/x-apple-plist"])

    /// Property lists, sent in the binary format.
    ///
    /// The media types are `application/x-bplist` and `application/x-apple-binary-plist`. Both formats are read. These are
    /// decoding errors: XML in another encoding than UTF-8, the old format of OpenStep, more than 128 levels, and a
    /// binary property list that refers to its objects so often that it would be more than 100 times as long without
    /// references, above 1 MiB.
    public static let binaryPropertyList = propertyList(
        isBinary: true, mediaTypes: ["application/x-bplist", "application/x-apple-binary-plist"])

    private static func propertyList(isBinary: Bool, mediaTypes: [String]) -> BodyCodec {
        BodyCodec(mediaTypes: mediaTypes) { value in
            let encoder = PropertyListEncoder()
            encoder.outputFormat = isBinary ? .binary : .xml
            return try encoder.encode(value)
        } decode: { type, data in
            try PropertyListBounds.check(data)
            return try PropertyListDecoder().decode(type, from: data)
        }
    }
}
