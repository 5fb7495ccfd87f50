// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import HTTPTypes
import Simorgh

extension RequestExchange {
    /// Returns the content codings of a response's body, if they were not requested and are not decoded.
    ///
    /// - Parameter response: The response.
    /// - Returns: The codings for display; `nil` without codings, or if the command line requested them.
    func unrequestedCodings(of response: StreamingResponse) -> String? {
        let isAsked = request.fields.contains { $0.name == .acceptEncoding }
        guard !isAsked, let list = response.headers[.contentEncoding] else { return nil }
        let codings = ContentCodings.codings(in: list)
        return codings.isEmpty ? nil : DisplayText.oneLine(codings.joined(separator: ", "))
    }

    /// Warns that a body is written without decoding it.
    func warn(of codings: String) async {
        await notes.note(
            "simorgh: the body has the content coding \(codings), which was not requested and is not decoded here; "
                + "it is written unchanged")
        await notes.settled()
    }
}

extension CommandError {
    /// Returns the error for an encoded body that should be shown on a terminal or parsed as records.
    static func unrequestedCodings(_ codings: String) -> CommandError {
        CommandError(
            .brokenResponse,
            message: "the body has the content coding \(codings), which was not requested and is not decoded here; "
                + "`simorgh get --output FILE` saves it unchanged")
    }
}
#endif
