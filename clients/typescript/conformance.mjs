// The worker that `headgate client-check` wants: headgate client-check -- node clients/typescript/conformance.mjs
import { setTimeout as sleep } from "node:timers/promises";
import { Client, Worker } from "./headgate.mjs";

const client = new Client(process.env.HEADGATE_URL, process.env.HEADGATE_TOKEN);
const worker = new Worker(client, { queues: ["check"], slots: 4, lease: 3000 });

worker.handler("check", async (job) => {
  await sleep(job.payload.ms ?? 0, undefined, { signal: job.signal });
  if (job.payload.log) job.log(job.payload.log);
  if (job.payload.fail) throw new Error(job.payload.fail);
  return job.payload.value;
});

await worker.run();
