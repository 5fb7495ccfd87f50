"""nginx on loopback for a benchmark, and a path to it with a given round-trip time and rate."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
MIB = 1 << 20
# The folder of the RAM disk; `None`, if there is no RAM disk, selects the folder of temporary files.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
CONFIGURATION = """
daemon off; master_process off; worker_processes 1; pid {work}/nginx.pid; error_log {work}/error.log error;
events {{ worker_connections 1024; }}
http {{
    client_body_temp_path {work}/t; proxy_temp_path {work}/t; fastcgi_temp_path {work}/t; uwsgi_temp_path {work}/t;
    scgi_temp_path {work}/t; default_type application/octet-stream;
"""
# After log_format, which access_log refers to.
LOG = "    access_log {work}/access.log seen;\n}}\n"
CERTIFICATE = "ssl_certificate {work}/root.pem; ssl_certificate_key {work}/key.pem;"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def tool(name):
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    return found or sys.exit(f"{name} is not installed (scripts/bootstrap peers installs it)")


class Nginx:
    """nginx with files on the RAM disk if there is one.

    `servers` is the content of its http block: its log_format "seen", and its servers, which listen on {port} and, if
    they need another port, on {plain}. {certificate} is replaced by a new one, whose root is at `root`. `fill` is called
    with the folder `www`.
    """

    def __init__(self, servers, fill):
        # So that nginx is ended and the files are removed.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        self.work = Path(tempfile.mkdtemp(prefix="benchmark-", dir=MEMORY))
        self.root = self.work / "root.pem"
        self.process = None
        try:
            self.start(servers, fill)
        except BaseException:
            self.close()
            raise

    def start(self, servers, fill):
        nginx = tool("nginx")
        (self.work / "www").mkdir()
        os.chmod(self.work, 0o755)
        fill(self.work / "www")
        if "{certificate}" in servers:
            subprocess.run(
                [tool("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                 "-keyout", self.work / "key.pem", "-out", self.root, "-days", "2", "-subj", "/CN=localhost",
                 "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
        # As late as possible, since a free port is not reserved.
        self.port = free_port()
        configuration = (CONFIGURATION + servers + LOG).format(
            work=self.work, port=self.port, plain=free_port(), certificate=CERTIFICATE.format(work=self.work))
        (self.work / "nginx.conf").write_text(configuration)
        self.process = subprocess.Popen(
            [nginx, "-p", self.work, "-e", self.work / "error.log", "-c", self.work / "nginx.conf"])
        until = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
            except OSError:
                if self.process.poll() is not None or time.monotonic() > until:
                    sys.exit("nginx does not start")
                time.sleep(0.05)
        if self.process.poll() is not None:
            sys.exit("nginx does not start: somebody else answers at its port")

    def log_length(self):
        return (self.work / "access.log").stat().st_size

    def log(self, offset, count=0):
        """Returns the log's lines from an offset, split at blanks, once there are `count`; waits at most a second."""
        until = time.monotonic() + 1
        while True:
            lines = (self.work / "access.log").read_bytes()[offset:].decode().splitlines()
            if len(lines) >= count or time.monotonic() > until:
                return [line.split() for line in lines]
            time.sleep(0.01)

    def close(self):
        if self.process:
            self.process.terminate()
            self.process.wait()
        shutil.rmtree(self.work)


class Relay:
    """The path to a server: Benchmarks/far-relay, which ends when its standard input does. `rtt` is in milliseconds, `rate` in
    MB a second."""

    def __init__(self, server, rtt, rate):
        self.rtt, self.rate = rtt, rate
        command = [sys.executable, HERE / "far-relay", "--to", str(server.port), "--rtt", f"{rtt:g}", "--rate", f"{rate:g}"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate()
