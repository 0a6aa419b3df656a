"""Drives one headless Chromium over the DevTools protocol, through a pair of pipes: needs nothing
but Python itself."""
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars
 --disable-background-networking --disable-component-update --disable-sync --disable-extensions
 --no-default-browser-check --disable-default-apps --disable-dev-shm-usage --mute-audio
 --remote-debugging-pipe""".split()


def find():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


class Failure(Exception):
    pass


class Browser:
    """with Browser() as b: p = b.page()"""

    def __enter__(self):
        self.home = tempfile.mkdtemp(prefix="deadheat-chromium-")
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        # Chromium reads commands from descriptor 3 and answers on 4.
        def place():
            a, b = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(a, 3)
            os.dup2(b, 4)
        self.process = subprocess.Popen(
            [find(), *FLAGS, f"--user-data-dir={self.home}/profile", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={**os.environ, "HOME": self.home, "TZ": "UTC"}, start_new_session=True,
            close_fds=False, preexec_fn=place)
        os.close(theirs_in)
        os.close(theirs_out)
        self.read_fd, self.write_fd = ours_in, ours_out
        self.rest = b""
        self.next_id = 0
        self.events = []
        return self

    def __exit__(self, *_):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stderr.close()
        os.close(self.read_fd)
        os.close(self.write_fd)
        shutil.rmtree(self.home, ignore_errors=True)

    def receive(self, deadline):
        while b"\0" not in self.rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.read_fd], [], [], left)[0]:
                raise Failure("Chromium does not answer")
            data = os.read(self.read_fd, 1 << 20)
            if not data:
                words = self.process.stderr.read(4000).decode(errors="replace")
                raise Failure("Chromium ended: " + words)
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, timeout=60, **params):
        self.next_id += 1
        command = {"id": self.next_id, "method": method, "params": params}
        if session:
            command["sessionId"] = session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.write_fd, data):]
        deadline = time.monotonic() + timeout
        while True:
            message = self.receive(deadline)
            if message.get("id") == self.next_id:
                if "error" in message:
                    raise Failure(f"{method}: {message['error']}")
                return message["result"]
            if "method" in message:
                self.events.append(message)

    def page(self, width=1440, height=900):
        return Page(self, width, height)


class Page:
    def __init__(self, browser, width, height):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call(
            "Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def call(self, method, **params):
        return self.browser.call(method, session=self.session, **params)

    def wait_event(self, method, timeout=60):
        deadline = time.monotonic() + timeout
        while not any(e["method"] == method for e in self.browser.events):
            message = self.browser.receive(deadline)
            if "method" in message:
                self.browser.events.append(message)

    def open(self, path, fragment=""):
        self.browser.events.clear()
        self.url = "file://" + os.path.abspath(path)
        result = self.call("Page.navigate", url=self.url + fragment)
        if "errorText" in result:
            raise Failure(result["errorText"])
        self.wait_event("Page.loadEventFired")

    def run(self, expression):
        """The value of a JavaScript expression; promises are awaited."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True, userGesture=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            words = details.get("exception", {}).get("description", details["text"])
            raise Failure(f"{expression}: {words}")
        return result["result"].get("value")

    def key(self, name, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name,
                      text=text if kind == "keyDown" else "")

    def type(self, text):
        for c in text:
            self.key(c, c)

    def colours(self, scheme):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path):
        import base64
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as f:
            f.write(base64.b64decode(data))

    def complaints(self):
        """Console errors and warnings, exceptions, and requests beyond the page itself."""
        self.run("1")
        found = []
        for e in self.browser.events:
            p = e["params"]
            if e["method"] == "Runtime.exceptionThrown":
                found.append("exception: " + str(p["exceptionDetails"])[:500])
            elif e["method"] == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning",
                                                                           "assert"):
                found.append("console: " + str(p["args"])[:500])
            elif e["method"] == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
                found.append("log: " + p["entry"]["text"])
            elif e["method"] == "Network.requestWillBeSent":
                url = p["request"]["url"]
                if url.split("#")[0] != self.url and not url.startswith("data:"):
                    found.append("request: " + url)
        return found
