// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Logging
import SimorghSupport
import Synchronization

/// A log file, written line by line on a serial queue that may block.
package final class LogFile: Sendable {
    /// The limits on the size and the number of files.
    package struct Limits: Sendable, Hashable {
        package var bytes: Int
        package var files: Int
        /// The largest number of bytes in the queue; further entries are dropped.
        package var backlog = 4 * 1024 * 1024
        /// The time that a pipe or a terminal may take until it accepts more bytes, in milliseconds.
        ///
        /// Default: 1 second.
        package var pipeTimeout: Int32 = 1000

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

    /// The state that only the queue accesses, one block at a time.
    private struct Output {
        var descriptor: Int32 = -1
        /// True for a file that can be rotated; false for example for `/dev/stderr`.
        var isFile = true
        /// True if its reader did not read in time.
        ///
        /// Until it reads again, writing does not wait for it.
        var isStalled = false
        /// True if the last line was only partially written.
        var isPartial = false
        var rotation: LogFileRotation
        /// The reason why the file cannot be written, until it was reported; then `nil`.
        var refusal: String?
        var isRefused = false

        /// Marks the file as not writable.
        mutating func refuse(_ reason: String) {
            descriptor = -1
            if !isRefused { refusal = reason }
            isRefused = true
        }
    }

    private struct Weak: Sendable {
        weak var file: LogFile?
    }

    /// The files of this process by path, so that one queue writes each path.
    ///
    /// A file without a destination is closed.
    private static let files = Mutex<[String: Weak]>([:])

    private let path: String
    private let limits: Limits
    private let onRefusal: @Sendable (_ path: String, _ reason: String) -> Void
    private let queue = DispatchQueue(label: "simorgh.log", qos: .utility)
    private let backlog = Mutex(Backlog())
    private let output: Mutex<Output>

    /// Creates a log file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limits: The limits.
    ///   - onRefusal: Called once if the file cannot be written. Default: the process's logger reports it.
    package init(
        _ path: String, limits: Limits,
        onRefusal: (@Sendable (_ path: String, _ reason: String) -> Void)? = nil
    ) {
        self.path = path
        self.limits = limits
        self.onRefusal = onRefusal ?? Self.warn
        output = Mutex(
            Output(rotation: LogFileRotation(path: path, maximumBytes: limits.bytes, maximumFiles: limits.files)))
    }

    deinit { output.withLock { if $0.descriptor >= 0 { _ = close($0.descriptor) } } }

    /// Returns the file of a path.
    ///
    /// Of all its current users, the first one has set the limits.
    package static func shared(_ path: String, limits: Limits) -> LogFile {
        files.withLock { files in
            if let file = files[path]?.file { return file }
            let file = LogFile(path, limits: limits)
            files = files.filter { $0.value.file != nil }
            files[path] = Weak(file: file)
            return file
        }
    }

    private static func warn(path: String, reason: String) {
        LazyLogger().value.warning(
            "log file cannot be written", metadata: ["path": "\(path)", "reason": "\(reason)"])
    }

    /// Enqueues a text to be written with a line break.
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

    /// Waits until all lines that were enqueued before are in the file.
    package func flush() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                // A thread that enqueued a line may not have scheduled its drain yet.
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
                Self.closeIfMoved(&output)
                var lost = 0
                let notice = "simorgh: \(dropped) entries were dropped here"
                if dropped > 0, !Self.put(notice, to: &output, pipeTimeout: limits.pipeTimeout) { lost = dropped }
                for line in lines { lost += Self.put(line, to: &output, pipeTimeout: limits.pipeTimeout) ? 0 : 1 }
                return (lost, output.refusal.take())
            }
            if let refusal { onRefusal(path, refusal) }
            guard lost > 0 else { continue }
            // The next line that can be written reports the loss, so that a full disk does not keep the queue busy.
            let isIdle = backlog.withLock { backlog in
                backlog.dropped += lost
                if backlog.lines.isEmpty { backlog.isBusy = false }
                return backlog.lines.isEmpty
            }
            if isIdle { return }
        }
    }

    /// Writes a line.
    ///
    /// Rotates the file first if it is full.
    ///
    /// - Returns: True if the line was written.
    private static func put(_ line: String, to output: inout Output, pipeTimeout: Int32) -> Bool {
        if output.descriptor < 0 { open(&output) }
        let bytes = Array("\(output.isPartial ? "\n" : "")\(line)\n".utf8)
        if output.descriptor >= 0, output.isFile, output.rotation.isFull(for: bytes.count) { rotate(&output) }
        guard output.descriptor >= 0 else { return false }
        let written = writeAll(of: bytes, to: &output, pipeTimeout: pipeTimeout)
        output.isPartial = written < bytes.count && (written > 0 || output.isPartial)
        output.rotation.didWrite(written)
        return written == bytes.count
    }

    /// Writes as many bytes as the file or pipe accepts.
    ///
    /// - Returns: The number of written bytes.
    private static func writeAll(of bytes: [UInt8], to output: inout Output, pipeTimeout: Int32) -> Int {
        var written = 0
        while written < bytes.count {
            // A pipe with free capacity is guaranteed to accept a piece of this size.
            let end = output.isFile ? bytes.count : min(bytes.count, written + PipeWriting.pieceBytes)
            if !output.isFile, !PipeWriting.isWritable(output.descriptor, within: output.isStalled ? 0 : pipeTimeout) {
                output.isStalled = true
                return written
            }
            let (count, error) = bytes[written..<end].withUnsafeBytes { buffer in
                output.isFile
                    ? systemWrite(output.descriptor, bytes: buffer) : PipeWriting.put(buffer, into: output.descriptor)
            }
            let failure = count < 0 ? error : 0
            if count > 0 {
                written += count
                output.isStalled = false
            } else if failure == EAGAIN, !output.isStalled {
                // Another writer has filled the pipe meanwhile.
                output.isStalled = true
            } else if failure == EPIPE {
                // A later reader is found by opening the pipe again.
                _ = close(output.descriptor)
                output.refuse(String(cString: strerror(failure)))
                return written
            } else if failure != EINTR {
                return written
            }
        }
        return written
    }

    /// Rotates a full file.
    ///
    /// If another process is rotating it, this one keeps writing to the current file.
    private static func rotate(_ output: inout Output) {
        guard systemLock(output.descriptor) else { return }
        if sizeIfAtPath(output) != nil {
            for move in output.rotation.moves {
                if let name = move.to { _ = rename(move.from, name) } else { _ = unlink(move.from) }
            }
        }
        // Closing releases the lock.
        _ = close(output.descriptor)
        open(&output)
    }

    /// Closes a file that is no longer at its path, because another process rotated it or it was moved or removed.
    private static func closeIfMoved(_ output: inout Output) {
        guard output.descriptor >= 0, output.isFile else { return }
        if let size = sizeIfAtPath(output) {
            output.rotation.opened(size)
        } else {
            _ = close(output.descriptor)
            output.descriptor = -1
        }
    }

    /// Returns the size of the file, which other processes may write, too; `nil` if it is no longer at its path.
    private static func sizeIfAtPath(_ output: Output) -> Int? {
        var (openFile, named) = (stat(), stat())
        guard fstat(output.descriptor, &openFile) == 0, lstat(output.rotation.path, &named) == 0,
            openFile.st_dev == named.st_dev, openFile.st_ino == named.st_ino
        else { return nil }
        return Int(clamping: openFile.st_size)
    }

    private static func open(_ output: inout Output) {
        switch systemOpen(output.rotation.path) {
        case .opened(let descriptor, let status):
            output.descriptor = descriptor
            output.isStalled = false
            output.isPartial = false
            output.isFile = status.st_mode & S_IFMT == S_IFREG
            output.rotation.opened(Int(clamping: status.st_size))
        case .refused(let reason): output.refuse(reason)
        }
    }
}

private enum OpenResult {
    case opened(Int32, stat)
    case refused(String)
}

/// Opens a file for appending, with permissions for its owner only.
///
/// A symbolic link at the path is followed to a device or a pipe, such as `/dev/stderr`, but not to a file, because
/// another user may have put it there. For the same reason a file, pipe or terminal of another user is not written,
/// except the standard output or error of this process.
private func systemOpen(_ path: String) -> OpenResult {
    guard !path.utf8.contains(0) else { return .refused("the path contains NUL") }
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
            refusal = "the path is a symbolic link to a file"
        } else if status.st_uid != geteuid() {
            refusal = "the file belongs to another user"
        } else if status.st_mode & 0o077 != 0 {
            // A file system without permissions is not an error.
            _ = fchmod(descriptor, status.st_mode & 0o700)
        }
    } else if status.st_uid != geteuid(), status.st_uid != 0, !isStandardStream(status) {
        refusal = "the file belongs to another user"
    }
    if let refusal {
        _ = close(descriptor)
        return .refused(refusal)
    }
    // Neither opening nor writing may block on a pipe. The standard streams keep their mode, because on some systems
    // this descriptor shares its mode with them.
    if status.st_mode & S_IFMT == S_IFREG || isStandardStream(status) {
        _ = fcntl(descriptor, F_SETFL, O_APPEND)
    } else {
        PipeWriting.prepare(descriptor)
    }
    return .opened(descriptor, status)
}

/// Returns true for standard output and error, which may belong to the user who started the program for another one.
private func isStandardStream(_ status: stat) -> Bool {
    [STDOUT_FILENO, STDERR_FILENO].contains { descriptor in
        var stream = stat()
        return fstat(descriptor, &stream) == 0 && stream.st_dev == status.st_dev && stream.st_ino == status.st_ino
    }
}

/// Locks the file, so that other processes do not rotate it.
///
/// Without support for locks it has no effect.
///
/// - Returns: False if another process is rotating the files.
private func systemLock(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
}

private func systemWrite(_ descriptor: Int32, bytes: UnsafeRawBufferPointer) -> (count: Int, error: Int32) {
    let count = write(descriptor, bytes.baseAddress, bytes.count)
    return (count, errno)
}
