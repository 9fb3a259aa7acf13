// Calls a provider that pushes back, as `headgate demo` does: 20 calls in any second and 5 at once, 429 beyond.
//
//   headgate gate set provider "concurrency 5" "window 20/1s"
//   headgate token create example --right work --right enqueue --right read
//   headgate serve &
//   node example.mjs http://127.0.0.1:8080 TOKEN [CALLS]
//
// Prints how many calls the provider accepted and refused; exit code 0 if it refused none.
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, PushedBack, Worker } from "./headgate.mjs";

const [AT_ONCE, IN_WINDOW, WINDOW] = [5, 20, 1000];

/** Counts calls when they arrive. Shares no code with Headgate. */
class Provider {
  recent = [];
  running = 0;
  accepted = 0;
  refused = 0;
  server = http.createServer(async (request, response) => {
    const isAccepted = this.admit();
    if (isAccepted) {
      await sleep(150);
      this.running--; // before the answer leaves: a caller that has it may rely on the place being free
    }
    response.writeHead(isAccepted ? 200 : 429).end();
  });

  admit() {
    const now = performance.now();
    this.recent = this.recent.filter((at) => now - at < WINDOW);
    const isAccepted = this.running < AT_ONCE && this.recent.length < IN_WINDOW;
    if (isAccepted) {
      this.recent.push(now);
      this.running++;
      this.accepted++;
    } else {
      this.refused++;
    }
    return isAccepted;
  }
}

const [url, token, calls = "60"] = process.argv.slice(2);
const provider = new Provider();
await new Promise((resolve) => provider.server.listen(0, "127.0.0.1", resolve));
const client = new Client(url, token);
const worker = new Worker(client, { queues: ["calls"], slots: 8, name: "example" });

worker.handler("call", async (job) => {
  const response = await fetch(`http://127.0.0.1:${provider.server.address().port}/${job.payload.number}`, { signal: job.signal });
  if (response.status === 429) throw new PushedBack("provider", "the provider answered 429", "1s");
  return { status: response.status };
});

const running = worker.run();
const jobs = Array.from({ length: Number(calls) }, (_, number) => (
  { type: "call", payload: { number }, queue: "calls", gates: ["provider"] }));
for (const id of await client.enqueueAll(jobs)) await client.awaitEnd(id, 300);
worker.stop();
await running;
console.log(`${provider.accepted} calls accepted, ${provider.refused} refused`);
process.exit(provider.refused > 0 ? 1 : 0);
