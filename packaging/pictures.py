"""Takes pictures of a demo with Chromium: `take` for the site of documents; run by itself it takes one, or all.

    python3 packaging/pictures.py target/debug/owlbox FOLDER [NAME ...]

Chromium shows a page through a proxy of ours that is signed in, since its command line cannot sign in. A live stream
stays open there and says nothing.
"""

import http.cookiejar
import os
import re
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CHROMIUM = os.environ.get("OWLBOX_TEST_CHROMIUM", "chromium-headless-shell")
TABLE, TOURNAMENT = r'href="(/chouettes/[0-9a-f-]{36})"', r'href="(/tournaments/[0-9a-f-]{36})"'
# Who looks, at what, and how large the window is. A pattern is looked for on the page before it.
SHOTS = {
    "table": ("scorer", ["/", TABLE], (1280, 800)),
    "table-phone": ("ada", ["/", TABLE], (390, 844)),
    "desk": ("director", ["/", TOURNAMENT, "/desk"], (1280, 900)),
    "bracket": ("ada", ["/", TOURNAMENT, "/1"], (1280, 900)),
    "treasury": ("treasurer", ["/ledger/treasury"], (1280, 900)),
}
MOST_SECONDS = 60


class Visitor:
    """Somebody who is signed in at the demo."""

    def __init__(self, address, login, password):
        self.address = address
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        form = {"csrf": re.search(r'name="csrf" value="([^"]+)"', self.page("/sign-in"))[1], "next": "/"}
        form |= {"login": login, "password": password}
        self.opener.open(address + "/sign-in", urllib.parse.urlencode(form).encode(), timeout=MOST_SECONDS)

    def page(self, path):
        return self.opener.open(self.address + path, timeout=MOST_SECONDS).read().decode()

    def find(self, steps):
        path = ""
        for step in steps:
            if step.startswith("href="):
                path = re.search(step, self.page(path))[1]
            else:
                path = path + step if path and path != "/" else step
        return path

    def proxy(self, finished):
        visitor = self

        class Proxy(BaseHTTPRequestHandler):
            def do_GET(self):
                request = urllib.request.Request(visitor.address + self.path)
                try:
                    answer = visitor.opener.open(request, timeout=MOST_SECONDS)
                except urllib.error.HTTPError as refused:
                    answer = refused
                kind = answer.headers.get("Content-Type", "")
                self.send_response(answer.status)
                self.send_header("Content-Type", kind)
                self.end_headers()
                if kind.startswith("text/event-stream"):
                    self.wfile.write(b": nothing yet\n\n")
                    finished.wait(MOST_SECONDS)
                else:
                    self.wfile.write(answer.read())

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server


def demo(program):
    """A running demo, its address and the passwords of its logins."""
    environment = os.environ | {"OWLBOX_HTTP__LISTEN": "127.0.0.1:0"}
    process = subprocess.Popen(
        [program, "demo"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    passwords = {}
    for line in process.stdout:
        if found := re.search(r"login (\S+)\s+password (.+)", line):
            passwords[found[1]] = found[2].strip()
        if found := re.search(r"listening on (\S+)", line):
            return process, found[1], passwords
    raise SystemExit(f"{program} demo ended before it listened")


def take(program, folder, names):
    """Takes these pictures, as NAME.png in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    process, address, passwords = demo(program)
    try:
        for name in sorted(names):
            login, steps, (width, height) = SHOTS[name]
            visitor = Visitor(address, login, passwords[login])
            finished = threading.Event()
            server = visitor.proxy(finished)
            with tempfile.TemporaryDirectory() as profile:
                subprocess.run(
                    [
                        CHROMIUM, "--no-sandbox", "--hide-scrollbars", f"--user-data-dir={profile}",
                        f"--window-size={width},{height}", "--timeout=2000",
                        f"--screenshot={folder / name}.png",
                        f"http://127.0.0.1:{server.server_port}{visitor.find(steps)}",
                    ],
                    check=True, timeout=MOST_SECONDS, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )  # fmt: skip
            finished.set()
            server.shutdown()
    finally:
        process.terminate()
        process.wait(timeout=MOST_SECONDS)


if __name__ == "__main__":
    take(Path(sys.argv[1]).resolve(), Path(sys.argv[2]), sys.argv[3:] or SHOTS)
