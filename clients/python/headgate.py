"""A client and a worker for Headgate's HTTP API. Standard library only, Python 3.9 or newer. README.md shows how to use it."""
from __future__ import annotations

import http.client
import json
import logging
import queue
import random
import signal
import threading
import time
import urllib.parse
from itertools import islice
from typing import Any, Callable, Dict, Iterable, List, Optional

__all__ = ["Client", "Worker", "Job", "HeadgateError", "Retry", "PushedBack", "PermanentFailure", "Stopped"]

Handler = Callable[["Job"], Any]
log = logging.getLogger("headgate")

IDLE_MAX = 10.0  # seconds; the server cuts a connection off that says nothing for twenty
BODY_MAX = 250_000  # characters; a call may have 1 MiB
LINES_MAX = 2_000
ERROR_MAX = 4_000
CANCELLED, TIMED_OUT = "cancelled", "timed out"
ENDED = ("succeeded", "failed", "cancelled")


class HeadgateError(Exception):
    """What the server said was wrong (RFC 9457)."""

    def __init__(self, problem: Dict[str, Any], retry_after: Optional[float] = None):
        super().__init__("%s: %s" % (problem.get("title"), problem.get("detail")))
        self.status: int = problem.get("status", 0)
        self.type: str = problem.get("type", "")
        self.problem = problem
        self.retry_after = retry_after
        self.stored: List[int] = []  # by enqueue_all(), before what was wrong


class Retry(Exception):
    """Raised by a handler: try again after this span, such as '30s', or at once."""

    def __init__(self, error: str, delay: Optional[str] = None):
        super().__init__(error)
        self.said = {"outcome": "retry", "delay": delay, "error": error[:ERROR_MAX]}


class PushedBack(Exception):
    """Raised by a handler: what is behind this gate pushed back, as with a 429. Shuts the gate for every worker."""

    def __init__(self, gate: str, error: str, retry_after: Optional[str] = None):
        super().__init__(error)
        self.said = {"outcome": "pushed_back", "gate": gate, "retryAfter": retry_after, "error": error[:500]}


class PermanentFailure(Exception):
    """Raised by a handler: trying again makes no sense."""

    def __init__(self, error: str):
        super().__init__(error)
        self.said = {"outcome": "failed", "error": error[:ERROR_MAX], "permanent": True}


class Stopped(Exception):
    """Raised by Job.check_stop()."""


class Client:
    """Talks to one server. Thread-safe: each thread has a connection of its own."""

    def __init__(self, url: str, token: str, timeout: float = 60):
        self._url = urllib.parse.urlsplit(url.rstrip("/"))
        self._token = token
        self._timeout = timeout
        self._local = threading.local()

    def call(self, method: str, path: str, body: Any = None, timeout: Optional[float] = None, **headers: str) -> Any:
        """One call; raises HeadgateError for a problem and OSError if the server cannot be reached."""
        text = body if body is None or isinstance(body, str) else json.dumps(body)
        response, answer = self._send(method, path, text, {"Content-Type": "application/json", **headers}, timeout)
        try:
            document = json.loads(answer) if answer else None
        except ValueError:
            document = None
            if response.status < 400:
                raise ConnectionError("expected JSON, got %r" % answer[:100]) from None
        if response.status >= 400:
            after = response.getheader("Retry-After", "")
            problem = document if isinstance(document, dict) else {"title": answer[:100].decode("utf-8", "replace")}
            raise HeadgateError({**problem, "status": response.status}, float(after) if after.isdigit() else None)
        return document

    def _send(self, method: str, path: str, text: Optional[str], headers: Dict[str, str], timeout: Optional[float]) -> Any:
        connection = self._connection(timeout or self._timeout)
        headers["Authorization"] = "Bearer " + self._token
        try:
            connection.request(method, self._url.path + path, None if text is None else text.encode("utf-8"), headers)
            response = connection.getresponse()
            answer = response.read()
            self._local.used = time.monotonic()
            return response, answer
        except (OSError, http.client.HTTPException) as broken:
            connection.close()
            raise broken if isinstance(broken, OSError) else ConnectionError(repr(broken))

    def _connection(self, timeout: float) -> http.client.HTTPConnection:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            kind = http.client.HTTPSConnection if self._url.scheme == "https" else http.client.HTTPConnection
            connection = self._local.connection = kind(self._url.hostname or "", self._url.port)
            self._local.used = 0.0
        elif time.monotonic() - self._local.used > IDLE_MAX:
            connection.close()
        connection.timeout = timeout
        if connection.sock:
            connection.sock.settimeout(timeout)
        return connection

    def enqueue(self, type: str, payload: Any = None, **options: Any) -> int:
        """Enqueues one job and returns its id. Options as in the contract: queue, gates, cost, delay, dedup …"""
        return self.call("POST", "/v1/jobs", {"type": type, "payload": {} if payload is None else payload, **options})["id"]

    def enqueue_all(self, jobs: Iterable[Dict[str, Any]]) -> List[int]:
        """Enqueues jobs such as {"type": "send", "payload": {…}, "queue": "mail"}, any number; returns their ids."""
        rest, ids = iter(jobs), []
        # In parts: a server that cannot get rid of its answers takes no more lines.
        while part := "".join(json.dumps(job) + "\n" for job in islice(rest, LINES_MAX)):
            response, answer = self._send("POST", "/v1/jobs/lines", part, {"Content-Type": "application/x-ndjson"}, None)
            for line in answer.splitlines():
                document = json.loads(line)
                if "id" not in document:
                    refused = HeadgateError({"status": response.status, **document})
                    refused.stored = ids
                    raise refused
                ids.append(document["id"])
        return ids

    def job(self, id: int, wait: int = 0) -> Dict[str, Any]:
        """The job as it is; with wait, a server that can do so waits this many seconds for its end."""
        return self.call("GET", "/v1/jobs/%d" % id, timeout=wait + 60, Prefer="wait=%d" % wait)

    def explain(self, id: int) -> Dict[str, Any]:
        return self.call("GET", "/v1/jobs/%d/explain" % id)

    def await_end(self, id: int, seconds: float = 60) -> Dict[str, Any]:
        """Waits until the job has ended and returns it; raises TimeoutError if it has not by then."""
        end = time.monotonic() + seconds
        pause = 0.02
        while True:
            left = end - time.monotonic()
            job = self.job(id, int(max(0, min(20, left))))
            if job["state"] in ENDED:
                return job
            if time.monotonic() > end:
                raise TimeoutError("job %d is %s" % (id, job["state"]))
            time.sleep(pause)
            pause = min(1.0, pause * 1.5)


class Job:
    """A job that was leased, as its handler sees it."""

    def __init__(self, lease: Dict[str, Any], sent: float, worker: "Worker"):
        self.id: int = lease["id"]
        self.epoch: int = lease["epoch"]
        self.type: str = lease["type"]
        self.queue: str = lease["queue"]
        self.gates: List[str] = lease["gates"]
        self.attempt: int = lease["attempt"]
        self.payload: Any = lease["payload"]
        self.settled: Dict[str, int] = {}  # how many units the job really took of some of its gates
        self._within: Optional[int] = lease.get("startWithinMs")
        self._timeout: Optional[int] = lease.get("timeoutMs")
        self._began = self._sent = sent
        self._worker = worker
        self._why = ""

    @property
    def stop_requested(self) -> bool:
        """Whether the handler should end soon: the job was cancelled, took too long, or the worker stops or lost its lease."""
        return bool(self._reason())

    def check_stop(self) -> None:
        """Raises Stopped if the handler should end. A handler that returns instead has succeeded."""
        if self._reason():
            raise Stopped(self._reason())

    def progress(self, percent: int, message: str = "") -> None:
        self._note({"percent": percent, "message": message[:500]})

    def log(self, line: str) -> None:
        self._note({"log": [line[:2000]]})

    def _note(self, said: Dict[str, Any]) -> None:
        self._worker._notes.put(json.dumps({"id": self.id, "epoch": self.epoch, **said}))  # waits if there are too many

    def _reason(self) -> str:
        if self._timeout is not None and time.monotonic() - self._began > self._timeout / 1000:
            return TIMED_OUT
        return self._why or self._worker._reason_to_stop()

    def _outcome_of_stop(self) -> str:
        return CANCELLED if self._why == CANCELLED else "returned"

    def _reference(self) -> Dict[str, int]:
        return {"id": self.id, "epoch": self.epoch}

    def _ended(self, **outcome: Any) -> str:
        text = json.dumps({**self._reference(), **outcome}, ensure_ascii=False, allow_nan=False)
        return text.encode("utf-8", "replace").decode("utf-8")  # half of a surrogate pair cannot be sent


class Worker:
    """Takes jobs of some queues and runs their handlers on threads. Limits hold: the server grants only what may start."""

    def __init__(
        self, client: Client, queues: List[str], slots: int = 10, name: str = "python", lease: float = 30, drain: float = 25
    ):
        self._client, self._queues, self._slots, self._name = client, queues, slots, name
        self._lease, self._drain = lease, drain
        self._handlers: Dict[str, Handler] = {}
        self._held: Dict[int, Job] = {}
        self._ended: Dict[int, str] = {}
        self._busy = 0  # handlers at work and jobs that wait for a thread, those of a lost lease too
        self._threads = 0
        self._batch = 500
        self._turns = 0
        self._tasks: "queue.SimpleQueue[Job]" = queue.SimpleQueue()
        self._notes: "queue.Queue[str]" = queue.Queue(10_000)
        self._lock, self._telling = threading.Lock(), threading.Lock()
        self._news, self._stopping, self._may_wait = threading.Event(), threading.Event(), threading.Event()
        self._end = float("inf")  # when a stop no longer waits for handlers
        self._heard = 0.0  # when the call was sent that last extended the lease
        self._mark: Optional[str] = None
        self._worker = ""

    def handler(self, type: str) -> Callable[[Handler], Handler]:
        """Registers a function for jobs of a type. What it returns is the job's result; what it raises fails the attempt."""
        return lambda function: self._handlers.setdefault(type, function)

    def stop(self, drain: Optional[float] = None) -> None:
        """Takes no more jobs and hands back those that have not begun; run() returns when the others have ended."""
        self._end = min(self._end, time.monotonic() + (self._drain if drain is None else drain))
        self._stopping.set()
        self._news.set()

    def run(self, handle_signals: bool = True) -> None:
        """Works until stop() is called, or SIGINT or SIGTERM comes; a second signal does not wait for handlers."""
        if handle_signals and threading.current_thread() is threading.main_thread():
            for each in (signal.SIGINT, signal.SIGTERM):
                # On a thread of its own, because this one may hold the very lock that stop() takes.
                signal.signal(each, lambda *_: self._spawn(self.stop, 0 if self._stopping.is_set() else None))
        self._persist(self._register)
        for each in (self._heartbeats, self._waits, self._tells):
            self._spawn(each)
        while not self._may_give_up():
            self._turn()
        try:
            self._call("DELETE", "", timeout=2)
        except (OSError, HeadgateError):
            pass  # its lease ends by itself

    def _may_give_up(self) -> bool:
        return self._stopping.is_set() and (not self._held or time.monotonic() > self._end + 3)

    @staticmethod
    def _spawn(target: Callable[..., Any], *args: Any) -> None:
        threading.Thread(target=target, args=args, daemon=True).start()

    def _call(self, method: str, act: str, body: Any = None, timeout: Optional[float] = None) -> Any:
        return self._client.call(method, "/v1/workers/" + self._worker + act, body, timeout)

    def _register(self) -> None:
        sent = time.monotonic()
        body = {"name": self._name, "slots": self._slots, "lease": "%dms" % (self._lease * 1000), **self._said()}
        self._worker = self._client.call("POST", "/v1/workers", body, timeout=self._lease)["worker"]
        self._heard = sent

    def _said(self) -> Dict[str, Any]:
        return {"queues": self._queues, "types": sorted(self._handlers)}

    def _reason_to_stop(self) -> str:
        now = time.monotonic()
        # The lease is counted from the sending, so that the store never ends it earlier than is believed here.
        return "lease ends" if now - self._heard > self._lease * 0.75 else "shutdown" if now > self._end else ""

    def _persist(self, act: Callable[[], Any]) -> Any:
        """Tries until it works: the server may be restarting. What is wrong with the request itself is raised."""
        pause = 0.05
        while True:
            try:
                return act()
            except HeadgateError as refused:
                if refused.status < 500 and refused.status != 429:
                    raise
                trouble, least = str(refused), refused.retry_after or 0
            except OSError as unreachable:
                trouble, least = repr(unreachable), 0
            if self._may_give_up():
                return None
            pause = max(min(5.0, pause * 2), least)
            log.warning("headgate: %s; trying again in %.1f s", trouble, pause)
            if self._stopping.wait(pause * random.uniform(1, 1.5)) and not self._may_give_up():
                time.sleep(0.2)

    def _turn(self) -> None:
        self._news.clear()
        with self._lock:
            ended = self._first(self._ended)
            held = [job._reference() for job in self._held.values() if job.id not in ended]
            is_open = not self._stopping.is_set() and time.monotonic() - self._heard < self._lease / 2
            free = max(0, self._slots - self._busy - len(self._ended) + len(ended)) if is_open else 0
        self._tell()
        said = json.dumps({**self._said(), "slots": self._slots, "free": free, "held": held})
        body = '%s,"ended":[%s],"turn":' % (said[:-1], ",".join(ended.values()))

        def call() -> Any:
            self._turns += 1
            sent = time.monotonic()
            return self._call("POST", "/turn", body + "%d}" % self._turns, max(5.0, self._lease / 2)), sent

        try:
            answer, sent = self._persist(call) or (None, 0)
        except HeadgateError as refused:
            self._settle(ended, refused)
            return
        if answer is not None:
            self._take(ended, answer, sent, free)

    def _first(self, all: Dict[int, str]) -> Dict[int, str]:
        """As many outcomes as go into one call, at least one."""
        first, size = {}, 0
        for id, text in islice(all.items(), self._batch):
            size += len(text)
            if first and size > BODY_MAX:
                break
            first[id] = text
        return first

    def _take(self, ended: Dict[int, str], answer: Dict[str, Any], sent: float, free: int) -> None:
        leases = answer["leases"]
        with self._lock:
            for id in ended.keys() - set(answer["again"]):
                self._ended.pop(id, None)
                self._held.pop(id, None)
            for lease in leases:
                job = self._held[lease["id"]] = Job(lease, sent, self)
                self._busy += 1
                self._tasks.put(job)
            while self._threads < min(self._slots, self._busy):
                self._threads += 1
                self._spawn(self._works)
            is_more = bool(self._ended) and not answer["again"]
            self._batch = self._batch if self._ended else 500
        self._stop_jobs(answer["stop"])
        self._mark = answer["mark"]
        self._may_wait.set()
        if not is_more and not (leases and free > len(leases)) and not self._may_give_up():
            longest = 20.0 if answer["nextMs"] is None else min(20.0, answer["nextMs"] / 1000)
            # The floor: a time that is due already, and outcomes to be sent again, must not become a busy loop.
            self._news.wait(0.05 if answer["again"] else max(0.01, min(longest, self._end + 3 - time.monotonic())))

    def _settle(self, ended: Dict[int, str], refused: HeadgateError) -> None:
        """After a refused turn: registers again, or finds the outcome that the server does not take and fails it."""
        if refused.status == 410:
            with self._lock:  # what runs here belongs to others now
                for job in self._held.values():
                    job._why = "lease lost"
                self._held, self._ended = {}, {}
            if not self._stopping.is_set():
                self._persist(self._register)
        elif refused.status == 409:
            log.warning("headgate: %s; taking another turn", refused)
        elif refused.status not in (400, 413) or not ended:
            raise refused
        elif len(ended) > 1:
            self._batch = 1
        else:
            self._batch = 500
            with self._lock:
                for id in ended:
                    self._ended[id] = self._held[id]._ended(outcome="failed", error=str(refused))

    def _works(self) -> None:
        while True:
            job = self._tasks.get()
            job._began = time.monotonic()
            lag = job._began - job._sent
            if job._within is not None and lag > job._within / 1000:
                text = job._ended(outcome="late", lagMs=int(lag * 1000))
            elif self._stopping.is_set() or job._reason():
                text = job._ended(outcome=job._outcome_of_stop())
            else:
                text = self._run(job, int(lag * 1000))
            with self._lock:
                self._busy -= 1
                if self._held.get(job.id) is job:
                    self._ended[job.id] = text
            self._news.set()

    def _run(self, job: Job, lag: int) -> str:
        common: Dict[str, Any] = {"lagMs": lag}
        try:
            result = self._handlers[job.type](job)
            if job.settled:
                common["settled"] = job.settled
            return job._ended(outcome="succeeded", result=result, **common)
        except (PushedBack, Retry, PermanentFailure) as told:
            return job._ended(**told.said, **common)
        except BaseException as error:  # whatever a handler raises is its job's failure, not the worker's
            if job._reason() in ("", TIMED_OUT):
                return job._ended(outcome="failed", error=("%s: %s" % (type(error).__name__, error))[:ERROR_MAX], **common)
            return job._ended(outcome=job._outcome_of_stop(), **common)

    def _stop_jobs(self, ids: List[int]) -> None:
        with self._lock:
            for id in ids:
                if id in self._held:
                    self._held[id]._why = CANCELLED

    def _heartbeats(self) -> None:
        pause = self._lease / 3
        while True:
            time.sleep(pause)
            with self._lock:
                held = [job._reference() for job in self._held.values()]
            worker, sent, before = self._worker, time.monotonic(), self._heard
            body = {"lease": "%dms" % (self._lease * 1000), "held": held}
            pause = self._lease / 3
            try:
                stop = self._call("POST", "/heartbeat", body, self._lease / 3)["stop"]
                if worker == self._worker:
                    self._heard = sent
                    self._stop_jobs(stop)
                if sent - before > self._lease / 2:
                    self._news.set()  # it may take jobs again
            except (OSError, HeadgateError) as trouble:
                pause = max(self._lease / 12, min(self._lease / 3, getattr(trouble, "retry_after", None) or 0))
                self._news.set()  # a turn finds out what is wrong

    def _waits(self) -> None:
        while True:
            self._may_wait.wait()
            body = {"queues": self._queues, "mark": self._mark, "seconds": 20}
            try:
                if self._call("POST", "/wait", body, 40)["news"]:
                    self._may_wait.clear()
                    self._news.set()
            except (OSError, HeadgateError) as trouble:
                time.sleep(max(1.0, getattr(trouble, "retry_after", None) or 0))

    def _tells(self) -> None:
        while True:
            time.sleep(0.2)
            self._tell()

    def _tell(self) -> None:
        """Sends what handlers have noted. Before their outcomes, because notes of a job that has ended are refused."""
        with self._telling:
            left = self._notes.qsize()
            while left > 0:
                notes, size = [], 0
                while size < BODY_MAX and len(notes) < min(500, left):
                    notes.append(self._notes.get())
                    size += len(notes[-1])
                left -= len(notes)
                body = '{"notes":[%s]}' % ",".join(notes)
                try:
                    self._persist(lambda: self._call("POST", "/notes", body))
                except HeadgateError as refused:
                    log.warning("headgate: %d notes were not taken: %s", len(notes), refused)
