// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Values of `Content-Encoding` that are not content codings; shared by calls, downloads and all transports.
package enum ContentCodings {
    /// Values that servers list although they change no byte.
    private static let labels: Set<String> = ["identity", "none", "binary", "8bit", "utf-8"]

    /// The framing of uploads to S3, which storage services store as a coding of the object.
    ///
    /// Alone it describes only the upload: the bytes that are served are not encoded. Beside another coding there is
    /// no telling which of the two was stored.
    private static let uploadFraming = "aws-chunked"

    /// Returns true if a value of the list changes no byte, wherever it is in the list.
    ///
    /// - Parameter value: The value, in lowercase.
    /// - Returns: True if it changes no byte.
    package static func isLabel(_ value: String) -> Bool { labels.contains(value) }

    /// Returns the values of a list in order, in lowercase, without those that change no byte.
    ///
    /// - Parameter list: The value of the field.
    /// - Returns: The codings; empty if the bytes are not encoded.
    package static func codings(in list: String) -> [String] {
        let values = list.lowercased().utf8.split { ", \t".utf8.contains($0) }.map { String(Substring($0)) }
        let codings = values.filter { !isLabel($0) }
        return codings == [uploadFraming] ? [] : codings
    }
}
