// A worker for tests: notes in a file when each of its jobs begins and ends. Killed at any moment.
//
// node worker_process.mjs URL TOKEN LOG SLOTS MILLIS
import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, Worker } from "../headgate.mjs";

const [url, token, log, slots, millis] = process.argv.slice(2);
const out = fs.openSync(log, "a", 0o600);
// One write for each line, so that a kill leaves whole lines.
const note = (what, job) => fs.writeSync(out, `${what} ${process.pid} ${job.id} ${job.epoch} ${(Date.now() / 1000).toFixed(6)}\n`);

const worker = new Worker(new Client(url, token), { queues: ["calls"], slots: Number(slots), lease: 3000 });
worker.handler("call", async (job) => {
  note("begin", job);
  await sleep(Number(millis));
  note("end", job);
  return { ok: job.payload.n };
});
await worker.run();
