// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A fuzz target: the processing of the bytes that libFuzzer generates.
///
/// A target returns if its properties hold, and traps otherwise: libFuzzer then keeps the bytes.
struct FuzzTarget: Sendable {
    /// The name in `SIMORGH_FUZZ_TARGET` and of the corpus folder.
    let name: String
    let run: @Sendable (inout FuzzBytes) -> Void

    /// All targets.
    static let all: [FuzzTarget] = [
        .http1Response, .http2Frames, .http2Session, .http2Fields, .connectAnswer, .socksAnswer,
        .url, .urlReference, .headerFields, .cookies, .challenges, .dates, .multipart, .mimeTypes, .inflate,
        .linkHeader, .structuredFields, .problems, .lines, .jsonLines, .jsonSequence, .jsonArray, .jsonRecords, .events,
        .graphQLFrames, .legacyGraphQLFrames, .appSyncFrames, .appSyncEventsFrames, .binanceFrames, .phoenixFrames,
        .absintheFrames, .pusherFrames,
        .webSocketFrames, .webSocketConnection, .webSocketDeflate, .webSocketText, .netlink,
        .dnsAnswer, .hsts, .netrc, .oauthToken, .oauthRedirect,
        .multipartMixed, .graphQLPatches, .graphQLDocument,
    ]
}
