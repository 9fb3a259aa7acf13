// A client and a worker for Headgate's HTTP API. Node 20 or newer, no dependencies; README.md shows how to use it.
import http from "node:http";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";

const IDLE_MAX = 10_000; // the server cuts a connection off that says nothing for twenty seconds
const BODY_MAX = 250_000; // characters; a call may have 1 MiB
const LINES_MAX = 2_000;
const NOTES_MAX = 10_000;
const ERROR_MAX = 4_000;
const CANCELLED = "cancelled";
const TIMED_OUT = "timed out";

/** What the server said was wrong (RFC 9457). */
export class HeadgateError extends Error {
  constructor(problem, retryAfter) {
    super(`${problem.title}: ${problem.detail}`);
    this.name = "HeadgateError";
    this.status = problem.status ?? 0;
    this.type = problem.type ?? "";
    this.problem = problem;
    this.retryAfter = retryAfter;
    this.stored = []; // by enqueueAll(), before what was wrong
  }
}

/** Thrown by a handler: what it says is the outcome. */
class Told extends Error {
  constructor(error, said) {
    super(error);
    this.said = said;
  }
}

/** Thrown by a handler: try again after this span, such as "30s", or at once. */
export class Retry extends Told {
  constructor(error, delay = null) {
    super(error, { outcome: "retry", delay, error: error.slice(0, ERROR_MAX) });
  }
}

/** Thrown by a handler: what is behind this gate pushed back, as with a 429. Shuts the gate for every worker. */
export class PushedBack extends Told {
  constructor(gate, error, retryAfter = null) {
    super(error, { outcome: "pushed_back", gate, retryAfter, error: error.slice(0, 500) });
  }
}

/** Thrown by a handler: trying again makes no sense. */
export class PermanentFailure extends Told {
  constructor(error) {
    super(error, { outcome: "failed", error: error.slice(0, ERROR_MAX), permanent: true });
  }
}

/** Talks to one server. */
export class Client {
  constructor(url, token, { timeout = 60_000 } = {}) {
    this.url = url.replace(/\/+$/, "");
    this.token = token;
    this.timeout = timeout;
    this.web = this.url.startsWith("https:") ? https : http;
    this.agent = new this.web.Agent({ keepAlive: true, timeout: IDLE_MAX });
  }

  /** One call; throws HeadgateError for a problem and another error if the server cannot be reached. */
  async call(method, path, body, { timeout = this.timeout, headers = {} } = {}) {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const answer = await this.send(method, path, text, { "Content-Type": "application/json", ...headers }, timeout);
    let document;
    try {
      document = answer.text ? JSON.parse(answer.text) : null;
    } catch {
      if (answer.status < 400) throw new Error(`expected JSON, got '${answer.text.slice(0, 100)}'`);
      document = { title: answer.text.slice(0, 100) };
    }
    if (answer.status >= 400) {
      const after = Number(answer.headers["retry-after"]);
      throw new HeadgateError({ ...document, status: answer.status }, Number.isFinite(after) ? after * 1000 : undefined);
    }
    return document;
  }

  send(method, path, text, headers, timeout) {
    return new Promise((resolve, reject) => {
      const request = this.web.request(this.url + path, {
        method,
        agent: this.agent,
        headers: { ...headers, Authorization: `Bearer ${this.token}`, "Content-Length": Buffer.byteLength(text ?? "") },
      });
      const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeout} ms`)), timeout);
      request.on("close", () => clearTimeout(timer));
      request.on("error", reject);
      request.on("response", (response) => {
        const parts = [];
        response.on("data", (part) => parts.push(part));
        response.on("error", reject);
        response.on("aborted", () => reject(new Error("the answer broke off")));
        response.on("end", () =>
          resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(parts).toString("utf8") }),
        );
      });
      request.end(text);
    });
  }

  /** Enqueues one job and returns its id. Options as in the contract: queue, gates, cost, delay, dedup … */
  async enqueue(type, payload = {}, options = {}) {
    return (await this.call("POST", "/v1/jobs", { type, payload, ...options })).id;
  }

  /** Enqueues jobs such as {type: "send", payload: {…}, queue: "mail"}, any number; returns their ids. */
  async enqueueAll(jobs) {
    const ids = [];
    let part = [];
    // In parts: a server that cannot get rid of its answers takes no more lines.
    const flush = async () => {
      const answer = await this.send(
        "POST", "/v1/jobs/lines", part.join(""), { "Content-Type": "application/x-ndjson" }, this.timeout);
      part = [];
      for (const line of answer.text.split("\n").filter(Boolean)) {
        const document = JSON.parse(line);
        if (document.id === undefined) {
          throw Object.assign(new HeadgateError({ status: answer.status, ...document }), { stored: ids });
        }
        ids.push(document.id);
      }
    };
    for await (const job of jobs) {
      if (part.push(JSON.stringify(job) + "\n") === LINES_MAX) await flush();
    }
    if (part.length > 0) await flush();
    return ids;
  }

  /** The job as it is; with wait, a server that can do so waits this many seconds for its end. */
  job(id, wait = 0) {
    return this.call("GET", `/v1/jobs/${id}`, undefined, {
      timeout: wait * 1000 + this.timeout,
      headers: { Prefer: `wait=${wait}` },
    });
  }

  explain(id) {
    return this.call("GET", `/v1/jobs/${id}/explain`);
  }

  /** Waits until the job has ended and returns it; throws if it has not by then. */
  async awaitEnd(id, seconds = 60) {
    const end = performance.now() + seconds * 1000;
    for (let pause = 20; ; pause = Math.min(1000, pause * 1.5)) {
      const left = Math.floor((end - performance.now()) / 1000);
      const job = await this.job(id, Math.max(0, Math.min(20, left)));
      if (["succeeded", "failed", CANCELLED].includes(job.state)) return job;
      if (performance.now() > end) throw new Error(`job ${id} is ${job.state}`);
      await sleep(pause);
    }
  }
}

/** A job that was leased, as its handler sees it. */
export class Job {
  constructor(lease, sent, note) {
    const { id, epoch, type, queue, gates, attempt, payload } = lease;
    Object.assign(this, { id, epoch, type, queue, gates, attempt, payload, sent, note });
    this.settled = {}; // how many units the job really took of some of its gates
    this.within = lease.startWithinMs ?? Infinity;
    this.timeout = lease.timeoutMs ?? undefined;
    this.stopper = new AbortController();
  }

  /** Aborted when the handler should end: the job was cancelled, took too long, or the worker stops or lost its lease. */
  get signal() {
    return this.stopper.signal;
  }

  get why() {
    return this.signal.aborted ? this.signal.reason.message : "";
  }

  stop(why) {
    if (!this.signal.aborted) this.stopper.abort(new Error(why));
  }

  progress(percent, message = "") {
    this.note({ ...this.reference(), percent: Math.round(percent), message: message.slice(0, 500) });
  }

  log(line) {
    this.note({ ...this.reference(), log: [line.slice(0, 2000)] });
  }

  reference() {
    return { id: this.id, epoch: this.epoch };
  }
}

/** Takes jobs of some queues and runs their handlers. Limits hold: the server grants only what may start. */
export class Worker {
  #client; #queues; #slots; #name; #lease; #drain;
  #handlers = new Map();
  #held = new Map(); // jobs by id
  #ended = new Map(); // their outcomes, as JSON
  #busy = 0; // handlers at work, those of a lost lease too
  #batch = 500;
  #turns = 0;
  #notes = [];
  #telling = Promise.resolve();
  #isStopping = false;
  #end = Infinity; // when a stop no longer waits for handlers
  #heard = 0; // when the call was sent that last extended the lease
  #mark = null;
  #worker = "";
  #over = new AbortController();
  #rings = new Map(); // what is to be awaited, by name

  constructor(client, { queues, slots = 10, name = "node", lease = 30_000, drain = 25_000 }) {
    this.#client = new Client(client.url, client.token); // with connections of its own, to be cut at the end
    [this.#queues, this.#slots, this.#name, this.#lease, this.#drain] = [queues, slots, name, lease, drain];
  }

  /** Registers a function for jobs of a type. What it returns is the job's result; what it throws fails the attempt. */
  handler(type, handle) {
    this.#handlers.set(type, handle);
    return this;
  }

  /** Takes no more jobs; run() returns when those at work have ended. */
  stop(drain = this.#drain) {
    this.#end = Math.min(this.#end, performance.now() + drain);
    this.#isStopping = true;
    this.#ring("news");
    this.#ring("stop");
    this.#rings.delete("stop");
  }

  /** Works until stop() is called, or SIGINT or SIGTERM comes; a second signal does not wait for handlers. */
  async run({ signals = true } = {}) {
    const onSignal = () => this.stop(this.#isStopping ? 0 : undefined);
    const names = signals ? ["SIGINT", "SIGTERM"] : [];
    names.forEach((each) => process.on(each, onSignal));
    try {
      await this.#persist(() => this.#register());
      const helpers = [this.#heartbeats(), this.#waits(), this.#watches()];
      while (!this.#mayGiveUp()) await this.#turn();
      await this.#call("DELETE", "", undefined, 2000).catch(() => {}); // its lease ends by itself
      this.#finish();
      await Promise.all(helpers);
    } finally {
      this.#finish();
      names.forEach((each) => process.off(each, onSignal));
    }
  }

  #finish() {
    this.#over.abort();
    this.#ring("wait");
    this.#client.agent.destroy();
  }

  #call(method, act, body, timeout) {
    return this.#client.call(method, `/v1/workers/${this.#worker}${act}`, body, { timeout });
  }

  #said() {
    return { queues: this.#queues, types: [...this.#handlers.keys()] };
  }

  async #register() {
    const sent = performance.now();
    const body = { name: this.#name, slots: this.#slots, lease: `${this.#lease}ms`, ...this.#said() };
    this.#worker = (await this.#client.call("POST", "/v1/workers", body, { timeout: this.#lease })).worker;
    this.#heard = sent;
  }

  /** Tries until it works: the server may be restarting. What is wrong with the request itself is thrown. */
  async #persist(act) {
    for (let pause = 100; ; pause = Math.min(5000, pause * 2)) {
      try {
        return await act();
      } catch (trouble) {
        if (trouble instanceof HeadgateError && trouble.status < 500 && trouble.status !== 429) throw trouble;
        if (this.#over.signal.aborted || this.#mayGiveUp()) return undefined;
        const wait = Math.max(pause * (1 + Math.random() / 2), trouble.retryAfter ?? 0);
        console.error(`headgate: ${trouble.message || trouble.code}; trying again in ${Math.round(wait)} ms`);
        await this.#heed("stop", Math.min(wait, Math.max(100, this.#end + 3000 - performance.now())));
      }
    }
  }

  #mayGiveUp() {
    return this.#isStopping && (this.#held.size === 0 || performance.now() > this.#end + 3000);
  }

  async #turn() {
    this.#rings.delete("news");
    const ended = this.#first();
    const held = [...this.#held.values()].filter((job) => !ended.has(job.id)).map((job) => job.reference());
    const isOpen = !this.#isStopping && performance.now() - this.#heard < this.#lease / 2;
    const free = isOpen ? Math.max(0, this.#slots - this.#busy - this.#ended.size + ended.size) : 0;
    await this.#tell();
    const said = JSON.stringify({ ...this.#said(), slots: this.#slots, free, held });
    let sent = 0;
    let answer;
    try {
      answer = await this.#persist(() => {
        sent = performance.now();
        const body = `${said.slice(0, -1)},"ended":[${[...ended.values()].join(",")}],"turn":${++this.#turns}}`;
        return this.#call("POST", "/turn", body, Math.max(5000, this.#lease / 2));
      });
    } catch (refused) {
      await this.#settle(ended, refused);
      return;
    }
    if (answer) await this.#take(ended, answer, sent, free);
  }

  /** As many outcomes as go into one call, at least one. */
  #first() {
    const first = new Map();
    let size = 0;
    for (const [id, text] of this.#ended) {
      size += text.length;
      if (first.size === this.#batch || (first.size > 0 && size > BODY_MAX)) break;
      first.set(id, text);
    }
    return first;
  }

  async #take(ended, answer, sent, free) {
    const again = new Set(answer.again);
    for (const id of ended.keys()) {
      if (!again.has(id)) {
        this.#ended.delete(id);
        this.#held.delete(id);
      }
    }
    if (this.#ended.size === 0) this.#batch = 500;
    for (const lease of answer.leases) {
      const job = new Job(lease, sent, (note) => this.#noted(note));
      this.#held.set(job.id, job);
      this.#busy++;
      this.#work(job);
    }
    this.#stopJobs(answer.stop);
    this.#mark = answer.mark;
    this.#ring("wait");
    const isMore = (this.#ended.size > 0 && again.size === 0) || (answer.leases.length > 0 && free > answer.leases.length);
    if (!isMore && !this.#mayGiveUp()) {
      // The floor: a time that is due already, and outcomes to be sent again, must not become a busy loop.
      const longest = Math.min(answer.nextMs ?? 20_000, 20_000, this.#end + 3000 - performance.now());
      await this.#heed("news", again.size > 0 ? 50 : Math.max(10, longest));
    }
  }

  /** After a refused turn: registers again, or finds the outcome that the server does not take and fails it. */
  async #settle(ended, refused) {
    if (refused.status === 410) {
      this.#held.forEach((job) => job.stop("lease lost")); // what runs here belongs to others now
      this.#held.clear();
      this.#ended.clear();
      if (!this.#isStopping) await this.#persist(() => this.#register());
    } else if (refused.status === 409) {
      console.error(`headgate: ${refused.message}; taking another turn`);
    } else if (![400, 413].includes(refused.status) || ended.size === 0) {
      throw refused;
    } else if (ended.size > 1) {
      this.#batch = 1;
    } else {
      this.#batch = 500;
      for (const id of ended.keys()) {
        this.#ended.set(id, this.#text(this.#held.get(id), { outcome: "failed", error: refused.message }));
      }
    }
  }

  #text(job, outcome) {
    return JSON.stringify({ ...job.reference(), ...outcome });
  }

  async #work(job) {
    const lag = performance.now() - job.sent;
    let text;
    if (lag > job.within) {
      text = this.#text(job, { outcome: "late", lagMs: Math.round(lag) });
    } else if (this.#isStopping || this.#isLeaseEnding()) {
      text = this.#text(job, { outcome: "returned" });
    } else {
      const timer = job.timeout && setTimeout(() => job.stop(TIMED_OUT), Math.min(job.timeout, 2 ** 31 - 1));
      text = await this.#outcome(job, Math.round(lag));
      clearTimeout(timer);
    }
    this.#busy--;
    if (this.#held.get(job.id) === job) this.#ended.set(job.id, text);
    this.#ring("news");
  }

  async #outcome(job, lagMs) {
    try {
      const result = (await this.#handlers.get(job.type)(job)) ?? null;
      const settled = Object.keys(job.settled).length > 0 ? job.settled : undefined;
      return this.#text(job, { outcome: "succeeded", result, settled, lagMs });
    } catch (error) {
      if (error instanceof Told) return this.#text(job, { ...error.said, lagMs });
      if (job.why === CANCELLED) return this.#text(job, { outcome: CANCELLED, lagMs });
      if (job.why && job.why !== TIMED_OUT) return this.#text(job, { outcome: "returned", lagMs });
      return this.#text(job, { outcome: "failed", error: String(error).slice(0, ERROR_MAX), lagMs });
    }
  }

  /** Counted from the sending of a heartbeat, so that the store never ends the lease earlier than is believed here. */
  #isLeaseEnding() {
    return performance.now() - this.#heard > this.#lease * 0.75;
  }

  #stopJobs(ids) {
    ids.forEach((id) => this.#held.get(id)?.stop(CANCELLED));
  }

  async #heartbeats() {
    for (let pause = this.#lease / 3; await this.#pause(pause); ) {
      const held = [...this.#held.values()].map((job) => job.reference());
      const [worker, sent, before] = [this.#worker, performance.now(), this.#heard];
      pause = this.#lease / 3;
      try {
        const { stop } = await this.#call("POST", "/heartbeat", { lease: `${this.#lease}ms`, held }, pause);
        if (worker === this.#worker) {
          this.#heard = sent;
          this.#stopJobs(stop);
        }
        if (sent - before > this.#lease / 2) this.#ring("news"); // it may take jobs again
      } catch (trouble) {
        pause = Math.max(this.#lease / 12, Math.min(pause, trouble.retryAfter ?? 0));
        this.#ring("news"); // a turn finds out what is wrong
      }
    }
  }

  async #waits() {
    while (!this.#over.signal.aborted) {
      await this.#heed("wait", 60_000);
      try {
        const { news } = await this.#call("POST", "/wait", { queues: this.#queues, mark: this.#mark, seconds: 20 }, 40_000);
        if (news) {
          this.#rings.delete("wait");
          this.#ring("news");
        }
      } catch (trouble) {
        await this.#pause(Math.max(1000, trouble.retryAfter ?? 0));
      }
    }
  }

  /** Stops handlers in time, and tells what they have noted. */
  async #watches() {
    while (await this.#pause(200)) {
      const why = this.#isLeaseEnding() ? "lease ends" : performance.now() > this.#end ? "shutdown" : "";
      if (why) this.#held.forEach((job) => job.stop(why));
      await this.#tell();
    }
  }

  #noted(note) {
    if (this.#notes.length < NOTES_MAX) this.#notes.push(JSON.stringify(note));
  }

  /** Sends what handlers have noted. Before their outcomes, because notes of a job that has ended are refused. */
  #tell() {
    this.#telling = this.#telling.then(async () => {
      for (let left = this.#notes.length; left > 0; ) {
        let [count, size] = [0, 0];
        while (count < Math.min(500, left) && size < BODY_MAX) size += this.#notes[count++].length;
        left -= count;
        const body = `{"notes":[${this.#notes.splice(0, count).join(",")}]}`;
        await this.#persist(() => this.#call("POST", "/notes", body)).catch((refused) =>
          console.error(`headgate: ${count} notes were not taken: ${refused.message}`));
      }
    });
    return this.#telling;
  }

  /** Returns whether the worker still works after this time. */
  async #pause(ms) {
    await sleep(ms, undefined, { signal: this.#over.signal }).catch(() => {});
    return !this.#over.signal.aborted;
  }

  #ring(name) {
    const heard = this.#rings.get(name);
    this.#rings.set(name, true);
    if (typeof heard === "function") heard();
  }

  /** Waits until it rings, or has rung since it was last deleted. */
  #heed(name, ms) {
    if (this.#rings.get(name) === true) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#rings.set(name, () => resolve(clearTimeout(timer)));
    });
  }
}
