// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import Simorgh

/// The request that the arguments describe.
package struct RequestDescription: Sendable, Equatable {
    /// The source of the bytes to send.
    package enum Source: Sendable, Equatable {
        case file(String)
        case standardInput
    }

    /// The body of the request.
    package enum Body: Sendable, Equatable {
        case none
        case json(String)
        case jsonSource(Source)
        case form([QueryItem])
        case text(String)
        case source(Source)
        case parts([FormPart])
        /// A file whose upload progress is shown.
        case upload(String)
    }

    /// The credentials of the request.
    package enum Credential: Sendable, Equatable {
        case basic(username: String, password: String)
        case digest(username: String, password: String)
        case bearer(String)
        case sigV4(AWSSignature)
    }

    package var method: RequestMethod
    /// The whole URL, without ``query``.
    package var url: String
    /// The header fields in order; they override automatic ones.
    package var fields: [HTTPField] = []
    /// The query items to append to the URL.
    package var query: [QueryItem] = []
    package var body = Body.none
    /// The file for the body of a successful response; `-` for standard output.
    package var output: String?
    package var timeout: Duration?
    /// The file of the only CA certificates to trust.
    package var certificates: String?
    /// The HTTP version.
    package var httpVersion = TransportOptions.HTTPVersion.automatic
    /// The connection settings.
    package var connection = ConnectionDescription()
    package var isVerbose = false
    package var credential: Credential?
    /// The maximum number of retries after transient errors.
    package var retries = 0
    package var followsRedirects = false
    /// The cookie file.
    package var cookieJar: String?
    /// The file with user names and passwords by host.
    package var netrcFile: String?
    /// The name of a sign-in.
    package var oauth: String?
    /// The file of hosts that require TLS.
    package var hstsFile: String?
    /// The cache; `nil` for none.
    package var cache: CacheFolder?
    /// The file for the entity tag of a successful response.
    package var etagSave: String?
    /// True if a response 304 is a success: the caller has the body already.
    package var comparesETag = false

    package init(method: RequestMethod, url: String) {
        self.method = method
        self.url = url
    }

    /// Returns the body for the library.
    ///
    /// - Returns: The body; a file and standard input are read while they are sent.
    /// - Throws: `InvalidRequestError` if a file cannot be read.
    package func requestBody() throws(InvalidRequestError) -> RequestBody {
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

    /// Sets the value of `--timeout`.
    ///
    /// - Parameter seconds: The timeout, above 0 and at most a billion seconds.
    /// - Throws: An error for any other number.
    package mutating func setTimeout(seconds: Double) throws(CommandError) {
        guard seconds > 0, seconds <= 1_000_000_000 else {
            throw .usage("--timeout takes seconds above 0, such as 2.5")
        }
        timeout = .seconds(seconds)
    }

    /// Sets the header fields of the command line.
    ///
    /// - Parameter head: The head; its fields of the same names are replaced.
    package func apply(to head: inout HTTPRequest) {
        for field in fields { head.headerFields[values: field.name] = [] }
        for field in fields { head.headerFields.append(field) }
    }
}

extension RequestDescription.Source {
    fileprivate func body(contentType: String) throws(InvalidRequestError) -> RequestBody {
        switch self {
        case .file(let path): return try .contents(of: path, contentType: contentType)
        case .standardInput:
            return .once(StandardInputChunks(), length: StandardInputChunks.length, contentType: contentType)
        }
    }
}
#endif
