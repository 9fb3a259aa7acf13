"""A worker for benchmarks: jobs that do nothing. python3 drain_process.py URL TOKEN QUEUE SLOTS"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from headgate import Client, Worker  # noqa: E402

url, token, queue, slots = sys.argv[1:]
worker = Worker(Client(url, token), queues=[queue], slots=int(slots))
worker.handler("noop")(lambda job: None)
worker.run()
