"""A worker that greets. Run it beside `headgate serve`: python3 example.py http://127.0.0.1:8080 TOKEN

The token needs the rights work, enqueue and read.
"""
import sys
import threading

from headgate import Client, Worker


def main() -> None:
    client = Client(sys.argv[1], sys.argv[2])
    worker = Worker(client, queues=["greetings"], slots=4, name="greeter")

    @worker.handler("greet")
    def greet(job):
        job.log("greeting %s" % job.payload["name"])
        return "hello %s" % job.payload["name"]

    running = threading.Thread(target=worker.run)
    running.start()
    ids = [client.enqueue("greet", {"name": name}, queue="greetings") for name in ("Ada", "Grace")]
    for each in ids:
        print(client.await_end(each)["state"])
    worker.stop()
    running.join()


if __name__ == "__main__":
    main()
