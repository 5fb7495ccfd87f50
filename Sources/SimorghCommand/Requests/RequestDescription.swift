// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import Simorgh

/// What the arguments ask for, as a value.
package struct RequestDescription: Sendable, Equatable {
    /// Where bytes to send are read from.
    package enum Source: Sendable, Equatable {
        case file(String)
        case standardInput
    }

    /// What is sent.
    package enum Body: Sendable, Equatable {
        case none
        case json(String)
        case jsonSource(Source)
        case form([QueryItem])
        case text(String)
        case source(Source)
        case parts([FormPart])
        /// A file of which progress is shown.
        case upload(String)
    }

    /// Who asks.
    package enum Credential: Sendable, Equatable {
        case basic(username: String, password: String)
        case digest(username: String, password: String)
        case bearer(String)
    }

    package var method: RequestMethod
    /// The whole URL, without ``query``.
    package var url: String
    /// Header fields in the order given; they replace what would be sent by itself.
    package var fields: [HTTPField] = []
    /// What the URL's query ends with.
    package var query: [QueryItem] = []
    package var body = Body.none
    /// The file for the body of a success; `-` for standard output.
    package var output: String?
    package var timeout: Duration?
    /// A file of certificates to trust, and no others.
    package var certificates: String?
    /// The version of HTTP to speak.
    package var httpVersion = TransportOptions.HTTPVersion.automatic
    /// How connections are made.
    package var connection = ConnectionDescription()
    package var isVerbose = false
    package var credential: Credential?
    /// How often a passing fault is tried again.
    package var retries = 0
    package var followsRedirects = false
    /// The file of the cookies.
    package var cookieJar: String?
    /// Where responses are kept and taken from; `nil` for nowhere.
    package var cache: CacheFolder?

    package init(method: RequestMethod, url: String) {
        self.method = method
        self.url = url
    }

    /// The body for the library.
    ///
    /// - Returns: The body; a file and standard input are read as they are sent.
    /// - Throws: `InvalidRequest` for a file that cannot be read.
    package func requestBody() throws(InvalidRequest) -> RequestBody {
        switch body {
        case .none: .empty
        case .json(let text): .text(text, contentType: "application/json")
        case .jsonSource(let source): try source.body(contentType: "application/json")
        case .form(let fields): .form(fields: fields)
        case .text(let text): .text(text)
        case .source(let source): try source.body(contentType: "application/octet-stream")
        case .parts(let parts): try .form(parts.map(\.field))
        case .upload(let path):
            try .contents(
                of: path,
                contentType: MimeTypeDetector.detectMimeType(fromFile: path)?.mime ?? "application/octet-stream")
        }
    }

    /// Puts the fields of the command line into a head.
    ///
    /// - Parameter head: The head; a field that comes with the request gives way to those of the same name.
    package func apply(to head: inout HTTPRequest) {
        for field in fields { head.headerFields[values: field.name] = [] }
        for field in fields { head.headerFields.append(field) }
    }
}

extension RequestDescription.Source {
    fileprivate func body(contentType: String) throws(InvalidRequest) -> RequestBody {
        switch self {
        case .file(let path): return try .contents(of: path, contentType: contentType)
        case .standardInput:
            return .once(StandardInputChunks(), length: StandardInputChunks.length, contentType: contentType)
        }
    }
}
#endif
