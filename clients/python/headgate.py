"""A client and a worker for Headgate's HTTP API. Standard library only, Python 3.9 or newer.

    client = Client("http://127.0.0.1:8080", token)
    client.enqueue("send", {"to": "ada"}, queue="mail", gates=["provider"])

    worker = Worker(client, queues=["mail"], slots=20)

    @worker.handler("send")
    def send(job):
        job.log("sending to %s" % job.payload["to"])
        return {"sent": True}

    worker.run()          # until Ctrl-C or SIGTERM
"""
from __future__ import annotations

import http.client
import json
import queue as queues_of_threads
import signal
import threading
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Union

__all__ = ["Client", "Worker", "Job", "HeadgateError", "Retry", "PushedBack", "PermanentFailure"]

Handler = Callable[["Job"], Any]


class HeadgateError(Exception):
    """What the server said was wrong (RFC 9457)."""

    def __init__(self, problem: Dict[str, Any]):
        super().__init__("%s: %s" % (problem.get("title"), problem.get("detail")))
        self.status: int = problem.get("status", 0)
        self.type: str = problem.get("type", "")
        self.problem = problem


class Retry(Exception):
    """Raised by a handler: try again after this span, such as '30s', or at once."""

    def __init__(self, error: str, delay: Optional[str] = None):
        super().__init__(error)
        self.delay = delay


class PushedBack(Exception):
    """Raised by a handler: what is behind this gate pushed back, as with a 429. Shuts the gate for every worker."""

    def __init__(self, gate: str, error: str, retry_after: Optional[str] = None):
        super().__init__(error)
        self.gate = gate
        self.retry_after = retry_after


class PermanentFailure(Exception):
    """Raised by a handler: trying again makes no sense."""


class Client:
    """Talks to one server. Thread-safe: each thread has a connection of its own."""

    def __init__(self, url: str, token: str, timeout: float = 60):
        self._url = urllib.parse.urlsplit(url.rstrip("/"))
        self._headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
        self._timeout = timeout
        self._local = threading.local()

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """One call; raises HeadgateError for a problem and OSError if the server cannot be reached."""
        text = None if body is None else json.dumps(body)
        status, answer = self._send(method, path, text, self._headers)
        document = json.loads(answer) if answer else None
        if status >= 400:
            raise HeadgateError(document)
        return document

    def _send(self, method: str, path: str, body: Optional[str], headers: Dict[str, str]) -> Any:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            kind = http.client.HTTPSConnection if self._url.scheme == "https" else http.client.HTTPConnection
            connection = kind(self._url.hostname, self._url.port, timeout=self._timeout)
            self._local.connection = connection
        try:
            connection.request(method, self._url.path + path, body, headers)
            response = connection.getresponse()
            return response.status, response.read().decode("utf-8")
        except (OSError, http.client.HTTPException) as broken:
            connection.close()
            self._local.connection = None
            raise broken if isinstance(broken, OSError) else ConnectionError(str(broken))

    def enqueue(self, type: str, payload: Any = None, **options: Any) -> int:
        """Enqueues one job and returns its id. Options as in the contract: queue, gates, cost, delay, dedup …"""
        return self.call("POST", "/v1/jobs", {"type": type, "payload": {} if payload is None else payload, **options})["id"]

    def enqueue_all(self, jobs: Iterable[Dict[str, Any]]) -> Iterator[int]:
        """Enqueues jobs such as {"type": "send", "payload": {…}, "queue": "mail"}; yields their ids."""
        body = "".join(json.dumps(job) + "\n" for job in jobs)
        headers = {**self._headers, "Content-Type": "application/x-ndjson"}
        status, answer = self._send("POST", "/v1/jobs/lines", body, headers)
        for line in answer.splitlines():
            document = json.loads(line)
            if "id" not in document:
                raise HeadgateError(document)
            yield document["id"]

    def job(self, id: int) -> Dict[str, Any]:
        return self.call("GET", "/v1/jobs/%d" % id)

    def explain(self, id: int) -> Dict[str, Any]:
        return self.call("GET", "/v1/jobs/%d/explain" % id)

    def await_end(self, id: int, seconds: float = 60) -> Dict[str, Any]:
        """Waits until the job has ended and returns it; raises TimeoutError if it has not by then."""
        end = time.monotonic() + seconds
        pause = 0.02
        while True:
            job = self.job(id)
            if job["state"] in ("succeeded", "failed", "cancelled"):
                return job
            if time.monotonic() > end:
                raise TimeoutError("job %d is %s" % (id, job["state"]))
            time.sleep(pause)
            pause = min(1.0, pause * 1.5)


class Job:
    """A job that was leased, as its handler sees it."""

    def __init__(self, lease: Dict[str, Any], sent: float, notes: "queues_of_threads.Queue[Dict[str, Any]]"):
        self.id: int = lease["id"]
        self.epoch: int = lease["epoch"]
        self.type: str = lease["type"]
        self.queue: str = lease["queue"]
        self.gates: List[str] = lease["gates"]
        self.attempt: int = lease["attempt"]
        self.payload: Any = lease["payload"]
        self.stop_requested = False
        """Whether the job was cancelled, or its lease is lost: the handler should end soon."""
        self.settled: Dict[str, int] = {}
        """How many units the job really took of some of its gates, by gate."""
        self._within: Optional[int] = lease["startWithinMs"]
        self._sent = sent
        self._notes = notes

    def progress(self, percent: int, message: str = "") -> None:
        self._notes.put({"id": self.id, "epoch": self.epoch, "percent": percent, "message": message})

    def log(self, line: str) -> None:
        self._notes.put({"id": self.id, "epoch": self.epoch, "log": [line]})

    def _reference(self) -> Dict[str, int]:
        return {"id": self.id, "epoch": self.epoch}

    def _lag(self) -> int:
        return int((time.monotonic() - self._sent) * 1000)

    def _is_late(self) -> bool:
        return self._within is not None and time.monotonic() - self._sent > self._within / 1000


class Worker:
    """Takes jobs of some queues and runs their handlers on threads. Limits hold: the server grants only what may start."""

    def __init__(self, client: Client, queues: List[str], slots: int = 10, name: str = "python", lease: float = 30):
        self._client = client
        self._queues = queues
        self._slots = slots
        self._name = name
        self._lease = lease
        self._handlers: Dict[str, Handler] = {}
        self._held: Dict[int, Job] = {}
        self._ended: List[Dict[str, Any]] = []
        self._notes: "queues_of_threads.Queue[Dict[str, Any]]" = queues_of_threads.Queue()
        self._lock = threading.Lock()
        self._news = threading.Event()
        self._stopping = threading.Event()
        self._may_wait = threading.Event()
        self._mark: Optional[str] = None
        self._worker = ""

    def handler(self, type: str) -> Callable[[Handler], Handler]:
        """Registers a function for jobs of a type. What it returns is the job's result; what it raises fails the attempt."""

        def register(function: Handler) -> Handler:
            self._handlers[type] = function
            return function

        return register

    def stop(self) -> None:
        """Takes no more jobs; run() returns when those at work have ended."""
        self._stopping.set()
        self._news.set()

    def run(self, handle_signals: bool = True) -> None:
        """Works until stop() is called, or a signal asks for it."""
        if handle_signals and threading.current_thread() is threading.main_thread():
            for each in (signal.SIGINT, signal.SIGTERM):
                signal.signal(each, lambda *_: self.stop())
        self._persist(self._register)
        helpers = [threading.Thread(target=each, daemon=True) for each in (self._heartbeats, self._waits, self._tells)]
        for helper in helpers:
            helper.start()
        with ThreadPoolExecutor(self._slots) as pool:
            while not (self._stopping.is_set() and not self._held and not self._ended):
                self._turn(pool)
        try:
            self._client.call("DELETE", "/v1/workers/" + self._worker)
        except (OSError, HeadgateError):
            pass  # its lease ends by itself

    def _register(self) -> None:
        body = {"name": self._name, "slots": self._slots, "lease": "%dms" % (self._lease * 1000), **self._said()}
        self._worker = self._client.call("POST", "/v1/workers", body)["worker"]

    def _said(self) -> Dict[str, Any]:
        return {"queues": self._queues, "types": sorted(self._handlers)}

    def _persist(self, act: Callable[[], Any]) -> Any:
        """Tries until it works: the server may be restarting. What is wrong with the request itself is raised."""
        pause = 0.05
        while True:
            try:
                return act()
            except HeadgateError as refused:
                if refused.status < 500 and refused.status != 429:
                    raise
            except OSError:
                pass
            if self._stopping.wait(pause):
                time.sleep(pause)
            pause = min(2.0, pause * 2)

    def _turn(self, pool: ThreadPoolExecutor) -> None:
        self._news.clear()
        with self._lock:
            ended = self._ended[:500]
            held = list(self._held.values())
        done = {each["id"] for each in ended}
        free = 0 if self._stopping.is_set() else self._slots - len(held) + len(done)
        kept = [job._reference() for job in held if job.id not in done]
        body = {**self._said(), "slots": self._slots, "free": max(0, free), "held": kept, "ended": ended}
        sent = 0.0

        def call() -> Any:
            nonlocal sent
            sent = time.monotonic()
            return self._client.call("POST", "/v1/workers/%s/turn" % self._worker, body)

        try:
            answer = self._persist(call)
        except HeadgateError as refused:
            if refused.status != 410:
                raise
            self._lose()
            return
        with self._lock:
            again = set(answer["again"])
            taken = [each for each in ended if each["id"] not in again]
            self._ended = [each for each in self._ended if each not in taken]
            for each in taken:
                self._held.pop(each["id"], None)
            jobs = [Job(lease, sent, self._notes) for lease in answer["leases"]]
            for job in jobs:
                self._held[job.id] = job
        for job in jobs:
            pool.submit(self._work, job)
        self._stop_jobs(answer["stop"])
        self._mark = answer["mark"]
        self._may_wait.set()
        if not self._ended and not (answer["leases"] and free > len(answer["leases"])):
            pause = answer["nextMs"]
            self._news.wait(min(20.0, pause / 1000) if pause is not None else 20.0)

    def _lose(self) -> None:
        """The lease has ended: what runs here belongs to others now."""
        with self._lock:
            for job in self._held.values():
                job.stop_requested = True
            self._held = {}
            self._ended = []
        self._persist(self._register)

    def _work(self, job: Job) -> None:
        lag = job._lag()
        outcome = {"outcome": "late"} if job._is_late() else self._outcome(job)
        with self._lock:
            if self._held.get(job.id) is job:
                extra = {"settled": job.settled} if job.settled else {}
                self._ended.append({**job._reference(), **outcome, **extra, "lagMs": lag})
        self._news.set()

    def _outcome(self, job: Job) -> Dict[str, Any]:
        try:
            return {"outcome": "succeeded", "result": self._handlers[job.type](job)}
        except PushedBack as pushed:
            return {"outcome": "pushed_back", "gate": pushed.gate, "retryAfter": pushed.retry_after, "error": str(pushed)}
        except Retry as retry:
            return {"outcome": "retry", "delay": retry.delay, "error": str(retry)}
        except PermanentFailure as failure:
            return {"outcome": "failed", "error": str(failure), "permanent": True}
        except BaseException as error:  # whatever a handler raises is its job's failure, not the worker's
            if job.stop_requested:
                return {"outcome": "cancelled"}
            return {"outcome": "failed", "error": "%s: %s" % (type(error).__name__, error)}

    def _stop_jobs(self, ids: List[int]) -> None:
        with self._lock:
            for id in ids:
                if id in self._held:
                    self._held[id].stop_requested = True

    def _heartbeats(self) -> None:
        while True:
            time.sleep(self._lease / 3)
            with self._lock:
                held = [job._reference() for job in self._held.values()]
            body = {"lease": "%dms" % (self._lease * 1000), "held": held}
            try:
                self._stop_jobs(self._client.call("POST", "/v1/workers/%s/heartbeat" % self._worker, body)["stop"])
            except (OSError, HeadgateError):
                self._news.set()  # a turn finds out what is wrong

    def _waits(self) -> None:
        while True:
            self._may_wait.wait()
            body = {"queues": self._queues, "mark": self._mark, "seconds": 20}
            try:
                if self._client.call("POST", "/v1/workers/%s/wait" % self._worker, body)["news"]:
                    self._may_wait.clear()
                    self._news.set()
            except (OSError, HeadgateError):
                time.sleep(0.5)

    def _tells(self) -> None:
        while True:
            notes = [self._notes.get()]
            while not self._notes.empty() and len(notes) < 500:
                notes.append(self._notes.get_nowait())
            try:
                self._client.call("POST", "/v1/workers/%s/notes" % self._worker, {"notes": notes})
            except (OSError, HeadgateError):
                pass  # progress is told again by the next note
