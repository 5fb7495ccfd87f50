// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// One field of a `multipart/form-data` body (RFC 7578).
///
/// ```swift
/// let fields: [MultipartFormField] = [
///     .text(name: "title", value: "The thirty birds"),
///     .file(name: "cover", data: cover, fileName: "cover.png"),
///     .filePath(name: "film", path: "/films/simorgh.mp4"),
/// ]
/// ```
/// Names and file names are escaped as in the WHATWG HTML standard: a quote as `%22`, CR as `%0D`, LF as `%0A`, and
/// nothing else. Line breaks of names and texts become CR LF, as in that standard; files are sent unchanged. A name
/// or file name with NUL or another control character except a tab is rejected before anything is sent.
public enum MultipartFormField: Sendable {
    /// A text.
    case text(name: String, value: String)
    /// A file in memory; without a type, the type is detected from the first bytes and the name.
    case file(name: String, data: Data, fileName: String, mimeType: String? = nil)
    /// A file, read as it is sent.
    ///
    /// Without a name, the last component of the path is used. Without a type, the type is detected from the first
    /// bytes and the name.
    case filePath(name: String, path: String, fileName: String? = nil, mimeType: String? = nil)
    /// Any other body with its own type, such as JSON or a stream; with a file name the server treats it as a file.
    case part(name: String, body: RequestBody, fileName: String? = nil)

    /// Creates a field for a file, which is read as it is sent.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - url: The file's URL.
    ///   - fileName: The file name to send; that of the URL by default.
    ///   - mimeType: The type; detected from the first bytes and the name by default.
    /// - Returns: The field.
    public static func fileURL(
        name: String, url: URL, fileName: String? = nil, mimeType: String? = nil
    ) -> MultipartFormField {
        // Another URL is not a file path; creating the body throws an error for it.
        .filePath(
            name: name, path: url.isFileURL ? url.path : url.absoluteString, fileName: fileName, mimeType: mimeType)
    }

    /// Creates a field for chunks that are created again each time the form is sent.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - fileName: The file name to send; `nil` if the field is not a file.
    ///   - length: The number of bytes, if known; without it the form is sent in chunked coding.
    ///   - mimeType: The type; with `nil` it is detected from the name.
    ///   - chunks: Creates the chunks. Called once each time the form is sent.
    /// - Returns: The field.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        name: String,
        fileName: String?,
        length: Int64? = nil,
        mimeType: String? = nil,
        _ chunks: @escaping @Sendable () -> Chunks
    ) -> MultipartFormField where Chunks.Element == Data, Chunks.Failure == any Error {
        .part(
            name: name, body: .stream(length: length, contentType: mimeType, chunks), fileName: fileName)
    }
}

extension MultipartFormField {
    /// Returns the head of the part with the empty line that ends it, and the content.
    func part() throws(InvalidRequestError) -> (head: String, content: RequestBody) {
        switch self {
        case .text(let name, let value):
            return (try Self.head(name, fileName: nil, type: nil), .text(Self.withLineBreaks(value)))
        case .file(let name, let data, let fileName, let mimeType):
            let type = mimeType ?? MimeTypeDetector.detectMimeType(from: data, fileName: fileName)?.mime
            return (try Self.head(name, fileName: fileName, type: type ?? Self.unknownType), .bytes(data))
        case .filePath(let name, let path, let fileName, let mimeType):
            let content = try RequestBody.contents(of: path)
            let fileName = fileName ?? Self.lastComponent(of: path)
            let type =
                mimeType
                ?? FileBytes.prefix(of: path, upTo: MimeTypeDetector.length).flatMap {
                    MimeTypeDetector.detectMimeType(from: Data($0), fileName: fileName)?.mime
                }
            return (try Self.head(name, fileName: fileName, type: type ?? Self.unknownType), content)
        case .part(let name, let body, let fileName) where body.isUnnamed:
            return (try Self.head(name, fileName: fileName, type: nil, end: "\r\n"), body)
        case .part(let name, let body, let fileName):
            let named = fileName.map { MimeTypeDetector.detectMimeType(from: Data(), fileName: $0)?.mime }
            let type = body.contentType ?? named.map { $0 ?? Self.unknownType }
            return (try Self.head(name, fileName: fileName, type: type), body)
        }
    }

    /// True if creating the part has to read a file.
    var readsFile: Bool {
        guard case .filePath = self else { return false }
        return true
    }

    private static let unknownType = "application/octet-stream"

    private static func head(
        _ name: String, fileName: String?, type: String?, end: String = "\r\n\r\n"
    ) throws(InvalidRequestError) -> String {
        var head = "Content-Disposition: form-data; name=\"\(try escaped(withLineBreaks(name), role: "name"))\""
        if let fileName { head += "; filename=\"\(try escaped(fileName, role: "file name"))\"" }
        if let type {
            try HeaderRules.check(value: type, of: "Content-Type")
            head += "\r\nContent-Type: \(type)"
        }
        return head + end
    }

    private static func lastComponent(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? path
    }

    /// Returns a name escaped so that it cannot end its quotes or its line.
    private static func escaped(_ name: String, role: String) throws(InvalidRequestError) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(name.utf8.count)
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "\""): result += "%22".utf8
            case UInt8(ascii: "\r"): result += "%0D".utf8
            case UInt8(ascii: "\n"): result += "%0A".utf8
            case 0..<0x09, 0x0B..<0x20, 0x7F:
                throw InvalidRequestError(
                    .invalidHeader, message: "the \(role) of a form's part contains a control character")
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the text with each single CR or LF replaced by CR LF.
    private static func withLineBreaks(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return text }
        var result: [UInt8] = []
        var last: UInt8 = 0
        for byte in text.utf8 {
            switch byte {
            case 0x0A where last == 0x0D: break
            case 0x0A, 0x0D: result += [0x0D, 0x0A]
            default: result.append(byte)
            }
            last = byte
        }
        return String(decoding: result, as: UTF8.self)
    }
}
