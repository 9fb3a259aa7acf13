// A worker for benchmarks: jobs that do nothing. node drain_process.mjs URL TOKEN QUEUE SLOTS
import { Client, Worker } from "../headgate.mjs";

const [url, token, queue, slots] = process.argv.slice(2);
await new Worker(new Client(url, token), { queues: [queue], slots: Number(slots) }).handler("noop", () => null).run();
