// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The words of `Content-Encoding` that are no codings: one list for calls and downloads, whatever the transport.
package enum ContentCodings {
    /// Words that servers list although they change no byte.
    private static let labels: Set<String> = ["identity", "none", "binary", "8bit", "utf-8"]

    /// The framing of uploads to S3, which storage services remember as a coding of the object.
    ///
    /// Alone it is a mark of the upload: the bytes that are served are as they are. Beside another coding nothing tells which
    /// of the two was kept.
    private static let uploadFraming = "aws-chunked"

    /// Says whether a word of the list changes no byte, wherever it stands.
    ///
    /// - Parameter word: The word, in lower case.
    /// - Returns: True if it changes none.
    package static func isLabel(_ word: String) -> Bool { labels.contains(word) }

    /// The words of a list, in lower case and in their order, without those that change no byte.
    ///
    /// - Parameter list: The value of the field.
    /// - Returns: The codings; none if the bytes are as they are.
    package static func codings(in list: String) -> [String] {
        let words = list.lowercased().utf8.split { ", \t".utf8.contains($0) }.map { String(Substring($0)) }
        let codings = words.filter { !isLabel($0) }
        return codings == [uploadFraming] ? [] : codings
    }
}
