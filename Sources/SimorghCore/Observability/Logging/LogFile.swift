// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Logging
import SimorghSupport
import Synchronization

/// A file that lines are written to, one after the other, on a queue that may block.
package final class LogFile: Sendable {
    /// How large the files get, and how many there are.
    package struct Limits: Sendable, Hashable {
        package var bytes: Int
        package var files: Int
        /// How many bytes wait to be written at most; what is more is dropped.
        package var backlog = 4 * 1024 * 1024
        /// How long, in milliseconds, a pipe or a terminal may take until it has room again; one second by default.
        package var patience: Int32 = 1000

        package init(bytes: Int, files: Int) {
            self.bytes = bytes
            self.files = files
        }
    }

    private struct Backlog {
        var lines: [String] = []
        var bytes = 0
        var dropped = 0
        var isBusy = false
    }

    /// What only the queue touches, one block at a time.
    private struct Output {
        var descriptor: Int32 = -1
        /// Whether it is a file that can be set aside: `/dev/stderr` cannot.
        var isFile = true
        /// Whether its reader did not read in time; until it does, nothing waits for it.
        var isStalled = false
        /// Whether the last line was begun and not ended.
        var isTorn = false
        var rotation: LogFileRotation
        /// Why the file cannot be written, until somebody was told; `nil` for what is told already.
        var refusal: String?
        var isRefused = false

        /// There is nothing to write to.
        mutating func refuse(_ reason: String) {
            descriptor = -1
            if !isRefused { refusal = reason }
            isRefused = true
        }
    }

    private struct Weak: Sendable {
        weak var file: LogFile?
    }

    /// The files of this process, so that one path is written by one queue; one that no destination uses is closed.
    private static let files = Mutex<[String: Weak]>([:])

    private let path: String
    private let limits: Limits
    private let onRefusal: @Sendable (_ path: String, _ reason: String) -> Void
    private let queue = DispatchQueue(label: "simorgh.log", qos: .utility)
    private let backlog = Mutex(Backlog())
    private let output: Mutex<Output>

    /// - Parameters:
    ///   - path: The file.
    ///   - limits: How large the files get.
    ///   - onRefusal: Told once where the file cannot be written; by default the process's logger is.
    package init(
        _ path: String, _ limits: Limits,
        onRefusal: (@Sendable (_ path: String, _ reason: String) -> Void)? = nil
    ) {
        self.path = path
        self.limits = limits
        self.onRefusal = onRefusal ?? Self.warn
        output = Mutex(
            Output(rotation: LogFileRotation(path: path, maximumBytes: limits.bytes, maximumFiles: limits.files)))
    }

    deinit { output.withLock { if $0.descriptor >= 0 { _ = close($0.descriptor) } } }

    /// The file of a path; who asked first, of those that use it now, has set its limits.
    package static func shared(_ path: String, _ limits: Limits) -> LogFile {
        files.withLock { files in
            if let file = files[path]?.file { return file }
            let file = LogFile(path, limits)
            files = files.filter { $0.value.file != nil }
            files[path] = Weak(file: file)
            return file
        }
    }

    private static func warn(_ path: String, _ reason: String) {
        LateLogger().value.warning(
            "log file cannot be written", metadata: ["path": "\(path)", "reason": "\(reason)"])
    }

    /// Writes a text and a line break, soon.
    package func write(_ text: String) {
        let begins = backlog.withLock { backlog in
            guard backlog.bytes + text.utf8.count <= limits.backlog else {
                backlog.dropped += 1
                return false
            }
            backlog.lines.append(text)
            backlog.bytes += text.utf8.count
            defer { backlog.isBusy = true }
            return !backlog.isBusy
        }
        if begins { queue.async { [self] in drain() } }
    }

    /// Waits until all that was written before is in the file.
    package func flush() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                // Who wrote a line may not have come to ask for its own turn yet.
                drain()
                continuation.resume()
            }
        }
    }

    private func drain() {
        while true {
            let (lines, dropped) = backlog.withLock { backlog in
                let taken = (backlog.lines, backlog.dropped)
                backlog.lines = []
                backlog.bytes = 0
                backlog.dropped = 0
                backlog.isBusy = !taken.0.isEmpty || taken.1 > 0
                return taken
            }
            guard !lines.isEmpty || dropped > 0 else { return }
            let (lost, refusal) = output.withLock { output -> (Int, String?) in
                Self.leaveWhatMoved(&output)
                var lost = 0
                let told = "simorgh: \(dropped) entries were dropped here"
                if dropped > 0, !Self.put(told, &output, limits.patience) { lost = dropped }
                for line in lines { lost += Self.put(line, &output, limits.patience) ? 0 : 1 }
                return (lost, output.refusal.take())
            }
            if let refusal { onRefusal(path, refusal) }
            guard lost > 0 else { continue }
            // Told with the next line that can be written: a disk that is full does not keep the queue busy.
            let isIdle = backlog.withLock { backlog in
                backlog.dropped += lost
                if backlog.lines.isEmpty { backlog.isBusy = false }
                return backlog.lines.isEmpty
            }
            if isIdle { return }
        }
    }

    /// Writes a line, into a new file where the one there is is full.
    ///
    /// - Returns: Whether it is written.
    private static func put(_ line: String, _ output: inout Output, _ patience: Int32) -> Bool {
        if output.descriptor < 0 { open(&output) }
        let bytes = Array("\(output.isTorn ? "\n" : "")\(line)\n".utf8)
        if output.descriptor >= 0, output.isFile, output.rotation.isFull(for: bytes.count) { setAside(&output) }
        guard output.descriptor >= 0 else { return false }
        let written = writeAll(of: bytes, &output, patience)
        output.isTorn = written < bytes.count && (written > 0 || output.isTorn)
        output.rotation.wrote(written)
        return written == bytes.count
    }

    /// Writes bytes as far as they are taken.
    ///
    /// - Returns: How many are written.
    private static func writeAll(of bytes: [UInt8], _ output: inout Output, _ patience: Int32) -> Int {
        var written = 0
        while written < bytes.count {
            // A pipe gets no more at once than fits where there is room at all.
            let end = output.isFile ? bytes.count : min(bytes.count, written + PipeWriting.pieceBytes)
            if !output.isFile, !PipeWriting.hasRoom(output.descriptor, within: output.isStalled ? 0 : patience) {
                output.isStalled = true
                return written
            }
            let (count, error) = bytes[written..<end].withUnsafeBytes { buffer in
                output.isFile
                    ? systemWrite(output.descriptor, buffer) : PipeWriting.put(buffer, into: output.descriptor)
            }
            let failure = count < 0 ? error : 0
            if count > 0 {
                written += count
                output.isStalled = false
            } else if failure == EAGAIN, !output.isStalled {
                // Somebody else who writes to it took the room.
                output.isStalled = true
            } else if failure == EPIPE {
                // Who reads it later is found by opening it again.
                _ = close(output.descriptor)
                output.refuse(String(cString: strerror(failure)))
                return written
            } else if failure != EINTR {
                return written
            }
        }
        return written
    }

    /// Begins a new file in the place of a full one; while another process does that, what there is grows on.
    private static func setAside(_ output: inout Output) {
        guard systemLock(output.descriptor) else { return }
        if sizeAtItsPath(output) != nil {
            for move in output.rotation.moves {
                if let name = move.to { _ = rename(move.from, name) } else { _ = unlink(move.from) }
            }
        }
        // Which gives up the lock.
        _ = close(output.descriptor)
        open(&output)
    }

    /// Lets a file go that is not at its path any more: another process has set it aside, or somebody has moved or removed it.
    private static func leaveWhatMoved(_ output: inout Output) {
        guard output.descriptor >= 0, output.isFile else { return }
        if let size = sizeAtItsPath(output) {
            output.rotation.opened(size)
        } else {
            _ = close(output.descriptor)
            output.descriptor = -1
        }
    }

    /// The bytes that the file has, which others may write, too; `nil` where it is not at its path.
    private static func sizeAtItsPath(_ output: Output) -> Int? {
        var (held, named) = (stat(), stat())
        guard fstat(output.descriptor, &held) == 0, lstat(output.rotation.path, &named) == 0,
            held.st_dev == named.st_dev, held.st_ino == named.st_ino
        else { return nil }
        return Int(held.st_size)
    }

    private static func open(_ output: inout Output) {
        switch systemOpen(output.rotation.path) {
        case .opened(let descriptor, let status):
            output.descriptor = descriptor
            output.isStalled = false
            output.isTorn = false
            output.isFile = status.st_mode & S_IFMT == S_IFREG
            output.rotation.opened(Int(status.st_size))
        case .refused(let reason): output.refuse(reason)
        }
    }
}

private enum Opening {
    case opened(Int32, stat)
    case refused(String)
}

/// Opens a file to write behind what is there; nobody else may read it.
///
/// A link at its place is followed to a device or a pipe, as `/dev/stderr` is one, and to no file: somebody else may have put
/// it there. For the same reason a file, a pipe or a terminal of somebody else is not written, but what is the program's own
/// standard output or error.
private func systemOpen(_ path: String) -> Opening {
    guard !path.utf8.contains(0) else { return .refused("a path holds no NUL") }
    let flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK
    var descriptor = open(path, flags | O_CREAT | O_NOFOLLOW, 0o600)
    let isLink = descriptor < 0 && errno == ELOOP
    if isLink { descriptor = open(path, flags) }
    guard descriptor >= 0 else { return .refused(String(cString: strerror(errno))) }
    var status = stat()
    var refusal: String?
    if fstat(descriptor, &status) != 0 {
        refusal = String(cString: strerror(errno))
    } else if status.st_mode & S_IFMT == S_IFREG {
        if isLink {
            refusal = "a link to a file stands at its place"
        } else if status.st_uid != geteuid() {
            refusal = "it belongs to somebody else"
        } else if status.st_mode & 0o077 != 0 {
            // A file system without permissions is no reason to fail.
            _ = fchmod(descriptor, status.st_mode & 0o700)
        }
    } else if status.st_uid != geteuid(), status.st_uid != 0, !isStandardStream(status) {
        refusal = "it belongs to somebody else"
    }
    if let refusal {
        _ = close(descriptor)
        return .refused(refusal)
    }
    // Opening must not wait for a pipe's other end, and neither must writing; but the program's own streams stay as they
    // are, as there are systems on which this descriptor is one with theirs.
    if status.st_mode & S_IFMT == S_IFREG || isStandardStream(status) {
        _ = fcntl(descriptor, F_SETFL, O_APPEND)
    } else {
        PipeWriting.prepare(descriptor)
    }
    return .opened(descriptor, status)
}

/// Whether it is what the program was started to write to: that may belong to who started it for another user.
private func isStandardStream(_ status: stat) -> Bool {
    [STDOUT_FILENO, STDERR_FILENO].contains { descriptor in
        var stream = stat()
        return fstat(descriptor, &stream) == 0 && stream.st_dev == status.st_dev && stream.st_ino == status.st_ino
    }
}

/// Keeps other processes from moving the files; where no locks are known, nobody is kept from it.
///
/// - Returns: Whether nobody else is just moving them.
private func systemLock(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> (count: Int, error: Int32) {
    let count = write(descriptor, bytes.baseAddress, bytes.count)
    return (count, errno)
}
