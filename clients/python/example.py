"""Calls a provider that pushes back, as `headgate demo` does: 20 calls in any second and 5 at once, 429 beyond.

    headgate gate set provider "concurrency 5" "window 20/1s"
    headgate token create example --right work --right enqueue --right read
    headgate serve &
    python3 example.py http://127.0.0.1:8080 TOKEN [CALLS]

Prints how many calls the provider accepted and refused; exit code 0 if it refused none.
"""
import http.client
import http.server
import sys
import threading
import time
from collections import deque

from headgate import Client, PushedBack, Worker

AT_ONCE, IN_WINDOW, WINDOW = 5, 20, 1.0


class Provider(http.server.ThreadingHTTPServer):
    """Counts calls when they arrive. Shares no code with Headgate."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Call)
        self.lock = threading.Lock()
        self.recent = deque()
        self.running = self.accepted = self.refused = 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def admit(self):
        with self.lock:
            now = time.monotonic()
            while self.recent and now - self.recent[0] >= WINDOW:
                self.recent.popleft()
            is_accepted = self.running < AT_ONCE and len(self.recent) < IN_WINDOW
            if is_accepted:
                self.recent.append(now)
                self.running += 1
                self.accepted += 1
            else:
                self.refused += 1
            return is_accepted

    def end(self):
        with self.lock:
            self.running -= 1


class Call(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        is_accepted = self.server.admit()
        if is_accepted:
            time.sleep(0.15)
            self.server.end()  # before the answer leaves: a caller that has it may rely on the place being free
        self.send_response(200 if is_accepted else 429)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def main():
    client = Client(sys.argv[1], sys.argv[2])
    calls = int(sys.argv[3]) if len(sys.argv) > 3 else 60
    provider = Provider()
    worker = Worker(client, queues=["calls"], slots=8, name="example")

    @worker.handler("call")
    def call(job):
        connection = http.client.HTTPConnection("127.0.0.1", provider.server_port, timeout=20)
        connection.request("GET", "/%d" % job.payload["number"])
        status = connection.getresponse().status
        connection.close()
        if status == 429:
            raise PushedBack("provider", "the provider answered 429", retry_after="1s")
        return {"status": status}

    running = threading.Thread(target=worker.run)
    running.start()
    jobs = client.enqueue_all({"type": "call", "payload": {"number": n}, "queue": "calls", "gates": ["provider"]} for n in range(calls))
    for each in jobs:
        client.await_end(each, seconds=300)
    worker.stop()
    running.join()
    print("%d calls accepted, %d refused" % (provider.accepted, provider.refused))
    sys.exit(1 if provider.refused else 0)


if __name__ == "__main__":
    main()
