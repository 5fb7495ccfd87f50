// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// One thing that is fuzzed: what is done with the bytes that libFuzzer makes up.
///
/// A target returns where its properties hold, and traps where one does not: libFuzzer keeps the bytes then.
struct FuzzTarget: Sendable {
    /// What `SIMORGH_FUZZ_TARGET` in the environment and the folder of its corpus call it.
    let name: String
    let run: @Sendable (inout FuzzBytes) -> Void

    /// All of them.
    static let all: [FuzzTarget] = [
        .http1Response, .http2Frames, .http2Session, .http2Fields, .connectAnswer, .socksAnswer,
        .url, .urlReference, .headerFields, .cookies, .challenges, .dates, .multipart, .mimeTypes, .inflate,
        .lines, .jsonLines, .jsonSequence, .jsonArray, .jsonRecords, .events,
        .graphQLFrames, .legacyGraphQLFrames, .appSyncFrames, .appSyncEventsFrames, .binanceFrames, .phoenixFrames,
        .absintheFrames, .pusherFrames,
        .webSocketFrames, .webSocketConnection, .webSocketDeflate, .webSocketText, .netlink,
    ]
}
