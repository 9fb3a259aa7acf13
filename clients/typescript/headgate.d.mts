/** The types of headgate.mjs; TypeScript finds them beside it. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A problem as RFC 9457 has it. */
export interface Problem {
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
  remedy?: string;
  line?: number;
}

/** What the server said was wrong. */
export class HeadgateError extends Error {
  readonly status: number;
  readonly type: string;
  readonly problem: Problem;
  /** Milliseconds. */
  readonly retryAfter?: number;
  /** The ids of the jobs that enqueueAll() had stored before. */
  readonly stored: number[];
}

/** Thrown by a handler: try again after this span, such as "30s", or at once. */
export class Retry extends Error {
  constructor(error: string, delay?: string | null);
}

/** Thrown by a handler: what is behind this gate pushed back, as with a 429. Shuts the gate for every worker. */
export class PushedBack extends Error {
  constructor(gate: string, error: string, retryAfter?: string | null);
}

/** Thrown by a handler: trying again makes no sense. */
export class PermanentFailure extends Error {
  constructor(error: string);
}

/** As in the contract, /openapi.yaml. */
export interface JobOptions {
  queue?: string;
  gates?: string[];
  cost?: number | string;
  delay?: string;
  at?: string;
  priority?: number;
  front?: boolean;
  keepPlace?: boolean;
  dedup?: string;
  dedupFor?: string;
  timeout?: string;
  deadline?: string;
  attempts?: number;
  retry?: string;
  after?: number[];
  afterEnd?: number[];
  unmet?: "fail" | "ignore" | "remove";
  children?: NewJob[];
}

export interface NewJob extends JobOptions {
  type: string;
  payload?: Json;
}

/** A job as the server shows it; the contract has all fields. */
export interface JobView {
  id: number;
  type: string;
  queue: string;
  state: string;
  [field: string]: unknown;
}

export interface CallOptions {
  /** Milliseconds. */
  timeout?: number;
  headers?: Record<string, string>;
}

/** Talks to one server. */
export class Client {
  constructor(url: string, token: string, options?: { timeout?: number });
  /** One call; throws HeadgateError for a problem and another error if the server cannot be reached. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<any>;
  /** Enqueues one job and returns its id. */
  enqueue(type: string, payload?: Json, options?: JobOptions): Promise<number>;
  /** Enqueues any number of jobs and returns their ids. */
  enqueueAll(jobs: Iterable<NewJob> | AsyncIterable<NewJob>): Promise<number[]>;
  /** The job as it is; with wait, a server that can do so waits this many seconds for its end. */
  job(id: number, wait?: number): Promise<JobView>;
  explain(id: number): Promise<Record<string, unknown>>;
  /** Waits until the job has ended and returns it; throws if it has not by then. */
  awaitEnd(id: number, seconds?: number): Promise<JobView>;
}

/** A job that was leased, as its handler sees it. */
export interface Job<P = any> {
  readonly id: number;
  /** Rises with every start of the job; pass it on where a late call must be refused. */
  readonly epoch: number;
  readonly type: string;
  readonly queue: string;
  readonly gates: string[];
  readonly attempt: number;
  readonly payload: P;
  /** How many units the job really took of some of its gates. */
  settled: Record<string, number>;
  /** Aborted when the handler should end: the job was cancelled, took too long, or the worker stops or lost its lease. */
  readonly signal: AbortSignal;
  progress(percent: number, message?: string): void;
  log(line: string): void;
}

export interface WorkerOptions {
  queues: string[];
  slots?: number;
  name?: string;
  /** How long the server waits for a heartbeat, in milliseconds. Default: 30,000. */
  lease?: number;
  /** How long a stop waits for handlers, in milliseconds. Default: 25,000. */
  drain?: number;
}

/** Takes jobs of some queues and runs their handlers. */
export class Worker {
  constructor(client: Client, options: WorkerOptions);
  /** Registers a function for jobs of a type. What it returns is the job's result; what it throws fails the attempt. */
  handler<P = any>(type: string, handle: (job: Job<P>) => unknown): this;
  /** Takes no more jobs; run() returns when those at work have ended. */
  stop(drain?: number): void;
  /** Works until stop() is called, or SIGINT or SIGTERM comes; a second signal does not wait for handlers. */
  run(options?: { signals?: boolean }): Promise<void>;
}
