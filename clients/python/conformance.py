"""The worker that `headgate client-check` wants: headgate client-check -- python3 clients/python/conformance.py"""
import os
import time

from headgate import Client, Worker

worker = Worker(Client(os.environ["HEADGATE_URL"], os.environ["HEADGATE_TOKEN"]), queues=["check"], slots=4, lease=3)


@worker.handler("check")
def check(job):
    end = time.monotonic() + job.payload.get("ms", 0) / 1000
    while time.monotonic() < end:
        job.check_stop()
        time.sleep(max(0, min(0.02, end - time.monotonic())))
    if "log" in job.payload:
        job.log(job.payload["log"])
    if "fail" in job.payload:
        raise ValueError(job.payload["fail"])
    return job.payload.get("value")


worker.run()
