// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// One field of a form that is sent in parts (RFC 7578).
///
/// ```swift
/// let fields: [MultipartFormField] = [
///     .text(name: "title", value: "The thirty birds"),
///     .file(name: "cover", data: cover, fileName: "cover.png"),
///     .filePath(name: "film", path: "/films/simorgh.mp4"),
/// ]
/// ```
/// Names and file names are escaped as the WHATWG HTML standard has it: a quote as `%22`, CR as `%0D`, LF as `%0A`, and
/// nothing else. Line breaks of names and texts become CR LF, as that standard has it, too; files are sent as they are.
/// A name or file name with NUL or another control character except a tab is refused before anything is sent.
public enum MultipartFormField: Sendable {
    /// A text.
    case text(name: String, value: String)
    /// The content of a file in memory; without a type it is told by the first bytes and the name.
    case file(name: String, data: Data, fileName: String, mimeType: String? = nil)
    /// A file, read as it is sent; without a name it has that of the path, without a type it is told by the first bytes
    /// and the name.
    case filePath(name: String, path: String, fileName: String? = nil, mimeType: String? = nil)
    /// Any other body, such as JSON or a stream, with its own type; with a name it is a file to the server.
    case part(name: String, body: RequestBody, fileName: String? = nil)

    /// A file, read as it is sent.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - url: The file's URL.
    ///   - fileName: The name that the server is told; that of the URL by default.
    ///   - mimeType: The type; told by the first bytes and the name by default.
    /// - Returns: The field.
    public static func fileURL(
        name: String, url: URL, fileName: String? = nil, mimeType: String? = nil
    ) -> MultipartFormField {
        // Any other URL is no path of a file, which the making of the body finds out.
        .filePath(
            name: name, path: url.isFileURL ? url.path : url.absoluteString, fileName: fileName, mimeType: mimeType)
    }

    /// Chunks that are made anew each time the form is sent.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - fileName: The name that the server is told; `nil` makes it no file.
    ///   - length: The number of bytes, where it is known; without it the form is sent in chunked coding.
    ///   - mimeType: The type; `nil` tells it by the name.
    ///   - chunks: Makes the chunks. Called once for each time the form is sent.
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
    /// The head of the part with the empty line that ends it, and what follows.
    func part() throws(InvalidRequest) -> (head: String, content: RequestBody) {
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
        case .part(let name, let body, let fileName):
            let named = fileName.map { MimeTypeDetector.detectMimeType(from: Data(), fileName: $0)?.mime }
            let type = body.contentType ?? named.map { $0 ?? Self.unknownType }
            return (try Self.head(name, fileName: fileName, type: type), body)
        }
    }

    /// Whether a file has to be looked at for its part.
    var readsFile: Bool {
        guard case .filePath = self else { return false }
        return true
    }

    private static let unknownType = "application/octet-stream"

    private static func head(_ name: String, fileName: String?, type: String?) throws(InvalidRequest) -> String {
        var head = "Content-Disposition: form-data; name=\"\(try escaped(withLineBreaks(name), "name"))\""
        if let fileName { head += "; filename=\"\(try escaped(fileName, "file name"))\"" }
        if let type {
            try HeaderRules.check(value: type, of: "Content-Type")
            head += "\r\nContent-Type: \(type)"
        }
        return head + "\r\n\r\n"
    }

    private static func lastComponent(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? path
    }

    /// A name that cannot end its quotes or its line.
    private static func escaped(_ name: String, _ role: String) throws(InvalidRequest) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(name.utf8.count)
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "\""): result += "%22".utf8
            case UInt8(ascii: "\r"): result += "%0D".utf8
            case UInt8(ascii: "\n"): result += "%0A".utf8
            case 0..<0x09, 0x0B..<0x20, 0x7F:
                throw InvalidRequest(.invalidHeader, "the \(role) of a form's part holds a control character")
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text with each CR or LF that stands alone made CR LF.
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
