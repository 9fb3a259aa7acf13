-- All tables. Times are microseconds of store time since 1970. Lists of names are joined by a line break.
-- Names compare as bytes (collate "C"): quicker than the rules of a language, and no index breaks when a new version of the system's
-- libraries orders words in another way. Hot tables leave room in their pages (fillfactor), so that an update stays on its page and writes
-- no index, and are vacuumed early and without pauses.

-- Facts about the store: the versions of the tables and of the policies.
create table headgate_meta (
    key text primary key,
    value bigint not null
);
-- policies_pruned: changes of policies up to this version may be gone, so no older version can be restored.
insert into headgate_meta (key, value) values ('schema_version', 0), ('policy_version', 0), ('policies_pruned', 0);

create sequence headgate_job_id;
create sequence headgate_frame_id;

-- Live jobs. A job that ends moves to headgate_history, so this table stays as small as the work at hand.
create table headgate_job (
    id bigint primary key,
    queue text collate "C" not null,
    gates text not null,
    lane text collate "C" not null,
    type text collate "C" not null,
    payload text not null,
    cost text not null,
    priority integer not null,
    front integer not null,
    rank bigint not null,
    state text not null check (state in ('AWAITING', 'SCHEDULED', 'QUEUED', 'RUNNING', 'PARKED')),
    enqueued_at bigint not null,
    run_at bigint not null,
    started_at bigint,
    -- How long after its start the job may still make its call; 0 if nothing bounds that.
    margin bigint not null default 0,
    attempt integer not null,
    attempts_max integer not null,
    lost integer not null,
    epoch bigint not null,
    worker text,
    dedup_key text collate "C",
    dedup_for bigint,
    timeout bigint,
    deadline bigint,
    retry text,
    frame bigint,
    frame_revision bigint,
    detail text,
    park_reason text collate "C",
    progress integer,
    progress_message text,
    cancel_requested integer not null,
    capped_queue integer not null default 0,
    capped_gate text collate "C",
    check ((state = 'RUNNING') = (worker is not null)),
    check ((state = 'PARKED') = (park_reason is not null))
)
with (
    fillfactor = 80,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0
);
create index headgate_job_for_claim on headgate_job (lane, rank) where state = 'QUEUED';
create index headgate_job_for_promotion on headgate_job (queue, run_at) where state = 'SCHEDULED';
create index headgate_job_for_deadline on headgate_job (deadline)
    where deadline is not null and state in ('AWAITING', 'SCHEDULED', 'QUEUED', 'PARKED');
-- Parked jobs by reason, page by page, and those of some types.
create index headgate_job_parked on headgate_job (park_reason, type, id) where state = 'PARKED';
-- Lists and counts of jobs that neither wait for a worker nor run. Few jobs are ever in it.
create index headgate_job_aside on headgate_job (state, id) include (queue, type) where state in ('AWAITING', 'SCHEDULED', 'PARKED');
-- Running jobs are not in it, so that a start does not write it; the rows of their workers list them.
create index headgate_job_by_frame on headgate_job (frame) where frame is not null and state <> 'RUNNING';
create unique index headgate_job_for_dedup on headgate_job (dedup_key) where dedup_key is not null;
-- Only jobs whose queue or gate has a cap on its backlog are in these two.
create index headgate_job_in_queue_backlog on headgate_job (queue, id)
    where capped_queue = 1 and state in ('AWAITING', 'SCHEDULED', 'QUEUED');
create index headgate_job_in_gate_backlog on headgate_job (capped_gate, id)
    where capped_gate is not null and state in ('AWAITING', 'SCHEDULED', 'QUEUED');

-- Jobs that have ended.
create table headgate_history (
    id bigint primary key,
    queue text not null,
    gates text not null,
    lane text not null,
    type text not null,
    payload text not null,
    cost text not null,
    priority integer not null,
    front integer not null,
    rank bigint not null,
    state text not null check (state in ('SUCCEEDED', 'FAILED', 'CANCELLED')),
    enqueued_at bigint not null,
    run_at bigint not null,
    started_at bigint,
    attempt integer not null,
    attempts_max integer not null,
    lost integer not null,
    epoch bigint not null,
    worker text,
    dedup_key text,
    dedup_for bigint,
    timeout bigint,
    deadline bigint,
    retry text,
    frame bigint,
    frame_revision bigint,
    detail text,
    finished_at bigint not null,
    result text
)
with (
    autovacuum_vacuum_insert_scale_factor = 0.01,
    autovacuum_vacuum_insert_threshold = 10000
);
-- Pruning walks along the ends. Jobs arrive in the order of their ends, so an insert writes the last page of it only.
create index headgate_history_for_pruning on headgate_history (finished_at, id);
-- Lists and counts of jobs that did not succeed.
create index headgate_history_unhappy on headgate_history (state, id) include (queue, type) where state in ('FAILED', 'CANCELLED');

-- Attempts that did not succeed.
create table headgate_attempt (
    job bigint not null,
    epoch bigint not null,
    number integer not null,
    worker text not null,
    started_at bigint not null,
    ended_at bigint not null,
    outcome text not null,
    error text not null,
    primary key (job, epoch)
);

-- Lines that handlers logged.
create table headgate_log (
    id bigint generated always as identity primary key,
    job bigint not null,
    epoch bigint not null,
    at bigint not null,
    line text not null
);
create index headgate_log_by_job on headgate_log (job, id);

-- Doorbells: one row for each lane and enqueue. An enqueue only appends here and touches no shared row.
create table headgate_arrival (
    id bigint generated always as identity primary key,
    lane text collate "C" not null,
    queue text collate "C" not null,
    gates text not null,
    rank bigint not null,
    cost text not null,
    passes integer not null
)
with (
    fillfactor = 100,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0
);
create index headgate_arrival_for_filing on headgate_arrival (queue, rank, id);

-- Lanes that have gates and in which jobs wait.
create table headgate_lane (
    id text collate "C" primary key,
    queue text collate "C" not null,
    gates text not null,
    state text not null check (state in ('READY', 'WAITING')),
    rank bigint not null,
    cost text not null,
    waiting_at text collate "C",
    since bigint not null,
    passes integer not null,
    share text collate "C" not null,
    check ((state = 'WAITING') = (waiting_at is not null))
)
with (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0
);
create index headgate_lane_for_claim on headgate_lane (queue, share, rank) where state = 'READY';
create index headgate_lane_in_line on headgate_lane (waiting_at, share, rank) where state = 'WAITING';

-- What each share of a fair queue or gate has had. Touched under the lock of that queue or gate only.
create table headgate_share (
    resource text collate "C" not null,
    key text collate "C" not null,
    finish bigint not null,
    rank bigint not null,
    standing integer not null,
    -- Where the share is charged by time: how many of its jobs run, and until when its tag counts them.
    running bigint not null default 0,
    as_of bigint not null default 0,
    primary key (resource, key)
)
with (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0
);
create index headgate_share_in_order on headgate_share (resource, standing, finish, rank, key);

-- What is in use of gates and queues, never their limits: a changed policy changes no row here.
create table headgate_gate (
    key text collate "C" primary key,
    leases bigint not null check (leases >= 0),
    units bigint not null check (units >= 0),
    memory text not null,
    wake_at bigint,
    -- Of the last row of its journal: the number, the hash, and until when it is kept.
    journal_count bigint not null default 0,
    journal_head text not null default '',
    journal_until bigint not null default 0,
    -- Of the last row of its journal that was deleted because its time was over: the number and the hash.
    pruned_count bigint not null default 0,
    pruned_hash text not null default ''
)
with (
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0
);
create index headgate_gate_for_wake on headgate_gate (wake_at) where wake_at is not null;

-- Registered workers, and the jobs that each holds: this one row is the lease of all of them.
create table headgate_worker (
    id text primary key,
    name text not null,
    queues text not null,
    slots integer not null,
    started_at bigint not null,
    lease_until bigint not null,
    holding text not null,
    room text not null,
    -- How many workers a job of this worker may lose before the job fails.
    lost_max integer not null
)
with (
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0
);

-- What handlers declare of a job type, and what its runs have shown. Written now and then, never for each job.
create table headgate_profile (
    type text primary key,
    needs text not null,
    expected bigint,
    runs text not null,
    updated_at bigint not null
);

-- Limits in force, as text, with an override and its end if there is one.
create table headgate_policy (
    key text primary key,
    limits text not null
);

-- Changes of limits, so that any version can be shown and restored.
create table headgate_policy_version (
    version bigint not null,
    key text not null,
    kind text not null check (kind in ('SET', 'REMOVE', 'OVERRIDE', 'ENDED', 'UNDO')),
    limits_before text not null,
    limits_after text not null,
    changed_at bigint not null,
    author text not null,
    reason text not null,
    primary key (version, key)
);
create index headgate_policy_version_by_key on headgate_policy_version (key, version);

-- Evidence of what gates let start: one row for each gate and batch of starts, for gates that ask for it. Appended under the gate's
-- lock. The rows of a gate are numbered, and each has a hash over itself and the one before.
create table headgate_journal (
    id bigint generated always as identity primary key,
    gate text collate "C" not null,
    at bigint not null,
    kind text not null check (kind in ('START', 'SETTLE', 'RETURN', 'LOST', 'LATE', 'CLEAR')),
    starts bigint not null,
    units bigint not null,
    leases bigint not null,
    in_use bigint not null,
    started_at bigint not null,
    margin bigint not null,
    policy text not null,
    version bigint not null,
    keep_until bigint not null,
    number bigint not null,
    hash text not null
);
create index headgate_journal_by_gate on headgate_journal (gate, id);
create index headgate_journal_for_pruning on headgate_journal (keep_until);

-- What is paused: queue:…, gate:… or type:…. Read together with the policies, and versioned with them.
create table headgate_pause (
    key text primary key,
    since bigint not null,
    author text not null,
    reason text not null
);

-- Which jobs wait for which. A dependency has the lower number, so there are no circles.
create table headgate_edge (
    job bigint not null,
    dependency bigint not null,
    unmet text not null check (unmet in ('FAIL', 'IGNORE', 'REMOVE')),
    child integer not null,
    place integer not null,
    outcome text check (outcome in ('SUCCEEDED', 'FAILED', 'CANCELLED', 'DELETED')),
    fatal integer not null default 0,
    primary key (job, dependency),
    check (dependency < job),
    check (fatal = 0 or outcome is not null)
);
-- What a job still waits for, and whether any job waits.
create index headgate_edge_open on headgate_edge (job, place) where outcome is null;
-- The jobs that wait for one, without those that have its outcome already, and all that have ever waited for it.
create index headgate_edge_by_dependency on headgate_edge (dependency, outcome, job);
create index headgate_edge_for_revival on headgate_edge (dependency, job) where fatal = 1;

-- Jobs whose edges need another look: tied by a caller's transaction, or ended with more jobs waiting for them than one transaction
-- settles.
create table headgate_look (
    job bigint primary key
);

-- Workflow runs, and their branches, items and child runs. A tree changes under the lock of its root's row only.
create table headgate_frame (
    id bigint primary key,
    root bigint not null,
    run bigint not null,
    name text not null,
    parent bigint,
    fork bigint not null,
    place bigint not null,
    depth bigint not null,
    workflow text collate "C" not null,
    version bigint not null,
    queue text not null,
    priority bigint not null,
    key text collate "C",
    state text not null,
    phase text not null,
    step text,
    revision bigint not null,
    events bigint not null,
    entered bigint not null,
    awaits text collate "C",
    due_at bigint,
    children text,
    started_at bigint not null,
    ended_at bigint,
    result text,
    detail text,
    budget text,
    halt text,
    check (state in ('RUNNING', 'SLEEPING', 'AWAITING', 'JOINING', 'BUDGET_EXCEEDED', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
    check ((state in ('SUCCEEDED', 'FAILED', 'CANCELLED')) = (ended_at is not null)),
    check ((parent is null) = (budget is not null))
)
-- A run changes its row at every step, and the runs of a page are likely to move in the same turn: half of the page stays free
-- (6.6 microseconds a row; with a third 8.6).
with (fillfactor = 50);
create unique index headgate_frame_for_key on headgate_frame (workflow, key) where key is not null;
create index headgate_frame_roots on headgate_frame (id) where parent is null;
create index headgate_frame_by_root on headgate_frame (root, id) where parent is not null;
create index headgate_frame_by_parent on headgate_frame (parent, fork, place) where parent is not null;
create index headgate_frame_for_signals on headgate_frame (run, awaits) where awaits is not null;
create index headgate_frame_for_pruning on headgate_frame (ended_at) where parent is null and ended_at is not null;

-- What has happened to runs, with the state of every step they entered. Appended only.
create table headgate_event (
    frame bigint not null,
    number bigint not null,
    at bigint not null,
    kind text not null,
    step text,
    detail text,
    state text,
    spent text,
    primary key (frame, number)
);

-- Signals that no part of their run has used yet.
create table headgate_signal (
    id bigint generated always as identity primary key,
    run bigint not null,
    name text not null,
    json text not null,
    at bigint not null
);
create index headgate_signal_by_run on headgate_signal (run, name, id);

-- Keys that senders gave to signals of a run, so that sending one again does nothing.
create table headgate_signal_key (
    run bigint not null,
    key text not null,
    primary key (run, key)
);

-- Texts that the steps of a run have kept.
create table headgate_artifact (
    run bigint not null,
    name text not null,
    content text not null,
    primary key (run, name)
);

-- The shape of every version of every workflow that was registered.
create table headgate_workflow (
    name text not null,
    version bigint not null,
    shape text not null,
    since bigint not null,
    primary key (name, version)
);

-- When work recurs, and which job each run enqueues. A schedule without next_at is paused or done.
create table headgate_schedule (
    name text collate "C" primary key,
    timing text not null,
    missed text not null check (missed in ('SKIP', 'ONE', 'ALL')),
    overlap text not null check (overlap in ('ALLOW', 'SKIP', 'BUFFER')),
    queue text not null,
    gates text not null,
    type text not null,
    payload text not null,
    cost text not null,
    priority integer not null,
    front integer not null,
    dedup_key text,
    dedup_for bigint,
    timeout bigint,
    attempts_max integer not null,
    retry text,
    delay bigint not null,
    created_at bigint not null,
    paused integer not null,
    settled_at bigint not null,
    next_at bigint,
    last_at bigint,
    note text,
    check (paused = 0 or next_at is null)
);
create index headgate_schedule_for_firing on headgate_schedule (next_at) where next_at is not null;

-- The newest runs of each schedule: one job for each instant.
create table headgate_schedule_run (
    schedule text collate "C" not null,
    at bigint not null,
    job bigint not null,
    fired_at bigint not null,
    primary key (schedule, at)
);
create index headgate_schedule_run_by_job on headgate_schedule_run (job);
