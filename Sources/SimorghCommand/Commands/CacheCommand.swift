// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh

/// `simorgh cache`: manages the responses stored by `--cache`.
package struct CacheCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Lists, shows and removes the responses that --cache stores.",
        discussion: """
              simorgh get https://example.com/list --cache
              simorgh cache ls --json
              simorgh cache purge --url https://example.com/list
            """,
        subcommands: [List.self, Show.self, Purge.self, Statistics.self]
    )

    package init() {}
}

extension CacheCommand {
    /// `simorgh cache ls`.
    package struct List: AsyncParsableCommand {
        package static let configuration = CommandConfiguration(
            commandName: "ls", abstract: "Lists the stored responses: status, bytes, seconds left, URL.",
            discussion: """
                  simorgh cache ls
                  simorgh cache ls --json --cache-path /var/tmp/answers
                """)

        @OptionGroup package var arguments: CacheListingArguments

        package init() {}

        package func run() async throws {
            for entry in try await arguments.folder().opened().entries() {
                let line =
                    arguments.json
                    ? CacheRecord.summary(of: entry).description
                    : "\(entry.statusCode)\t\(entry.length)\t\(entry.secondsToLive)\t\(DisplayText.oneLine(entry.url))"
                try Console.standard.say(line)
            }
        }
    }

    /// `simorgh cache show URL`.
    package struct Show: AsyncParsableCommand {
        package static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows the stored response heads of a URL.",
            discussion: "  simorgh cache show https://example.com/list")

        @Argument(help: "The URL.")
        package var url: String

        @OptionGroup package var arguments: CacheListingArguments

        package init() {}

        package func run() async throws {
            let found = try await arguments.folder().opened().entries(for: url)
            guard !found.isEmpty else {
                let name = DisplayText.oneLine(Redaction.shown(url: url))
                throw CommandError(
                    .failure, message: "the cache has no response for \(name); list them with: simorgh cache ls")
            }
            let console = Console.standard
            for entry in found {
                if arguments.json {
                    try console.say(CacheRecord.whole(of: entry).description)
                    continue
                }
                for line in ExchangeLog.lines(of: entry.statusCode, fields: entry.headers) {
                    try console.say(line)
                }
                try console.say("")
                console.note("* \(entry.length) bytes, \(entry.age) seconds old, \(entry.secondsToLive) seconds left")
            }
        }
    }

    /// `simorgh cache purge`.
    package struct Purge: AsyncParsableCommand {
        package static let configuration = CommandConfiguration(
            commandName: "purge", abstract: "Removes stored responses: those of a URL or a tag, or all.",
            discussion: """
                  simorgh cache purge --url https://example.com/list
                  simorgh cache purge --all
                """)

        @Option(help: "Remove the responses of this URL.")
        package var url: String?

        @Option(help: "Remove the responses with this tag in their Cache-Tag field.")
        package var tag: String?

        @Flag(help: "Remove all responses.")
        package var all = false

        @OptionGroup package var arguments: CacheListingArguments

        package init() {}

        package func validate() throws {
            guard [url != nil, tag != nil, all].filter({ $0 }).count == 1 else {
                throw ValidationError("use exactly one of --url URL, --tag TAG and --all")
            }
        }

        package func run() async throws {
            let cache = try await arguments.folder().opened()
            var count = 0
            if let url { count = await cache.remove(url: url) }
            if let tag { count = await cache.remove(tag: tag) }
            if all {
                count = await cache.entries().count
                await cache.removeAll()
            }
            if arguments.json {
                try Console.standard.say(CacheRecord.counts(["removed": Int64(count)]).description)
            } else {
                Console.standard.note("* \(count) removed")
            }
        }
    }

    /// `simorgh cache stats`.
    package struct Statistics: AsyncParsableCommand {
        package static let configuration = CommandConfiguration(
            commandName: "stats", abstract: "Shows the number and size of the stored responses.",
            discussion: "  simorgh cache stats --json")

        @OptionGroup package var arguments: CacheListingArguments

        package init() {}

        package func run() async throws {
            let cache = try await arguments.folder().opened()
            let entries = await cache.entries()
            let usage = await cache.usage()
            let fresh = entries.filter { $0.secondsToLive > 0 }.count
            guard !arguments.json else {
                let counts: [String: Int64] = [
                    "responses": Int64(entries.count), "fresh": Int64(fresh), "bytes": usage.diskBytes,
                    "capacity": Int64(cache.configuration.diskCapacity),
                ]
                return try Console.standard.say(CacheRecord.counts(counts).description)
            }
            try Console.standard.say("responses\t\(entries.count)")
            try Console.standard.say("fresh\t\(fresh)")
            try Console.standard.say("bytes\t\(usage.diskBytes)")
            try Console.standard.say("capacity\t\(cache.configuration.diskCapacity)")
        }
    }
}
#endif
