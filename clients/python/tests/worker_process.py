"""A worker for tests: notes in a file when each of its jobs begins and ends. Killed at any moment.

python3 worker_process.py URL TOKEN LOG SLOTS MILLIS
"""
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from headgate import Client, Worker  # noqa: E402


def main() -> None:
    url, token, log, slots, millis = sys.argv[1:]
    out = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    worker = Worker(Client(url, token), queues=["calls"], slots=int(slots), lease=3)

    def note(what: str, job) -> None:
        # One write for each line, so that a kill leaves whole lines.
        os.write(out, ("%s %d %d %d %.6f\n" % (what, os.getpid(), job.id, job.epoch, time.time())).encode())

    @worker.handler("call")
    def call(job):
        note("begin", job)
        time.sleep(int(millis) / 1000)
        note("end", job)
        return {"ok": job.payload["n"]}

    worker.run()


if __name__ == "__main__":
    main()
