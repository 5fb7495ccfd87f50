// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Simorgh
import SimorghCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

// UploadProbe --log PIPE: logs to a pipe whose reader closes it, where SIGPIPE would end the process.
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--log" {
    _ = signal(SIGPIPE, SIG_DFL)
    let path = CommandLine.arguments[2]
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    let file = LogFile(path, limits: LogFile.Limits(bytes: 1000, files: 2)) { _, _ in }
    file.write("first")
    await file.flush()
    close(reader)
    file.write("lost")
    await file.flush()
    print("lived on")
    exit(0)
}

#if os(Linux)
// UploadProbe --monitors COUNT: watches the network with a number of monitors, and prints their cost.
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--monitors" {
    MonitorCost.printCost(Int(CommandLine.arguments[2]) ?? 0)
    exit(0)
}
#endif

// UploadProbe URL FILE: uploads a file as a form part, in a process that does nothing else, and prints its memory use.
struct Answer: Decodable { var size: Int64 }
guard CommandLine.arguments.count == 3 else {
    print("usage: UploadProbe URL FILE")
    exit(2)
}
let client = APIClient(baseURL: CommandLine.arguments[1])
let fields: [MultipartFormField] = [
    .text(name: "title", value: "a large one"), .filePath(name: "file", path: CommandLine.arguments[2]),
]
let clock = ContinuousClock()
let start = clock.now
let answer = try await client.upload(.multipart(fields), to: "", method: .post).decode(Answer.self)
let took = start.duration(to: clock.now) / .seconds(1)
let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
// The bytes received, the peak memory in KiB, the seconds.
print(answer.size, line.filter(\.isNumber), took)
