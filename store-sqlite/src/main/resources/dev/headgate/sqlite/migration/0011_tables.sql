-- All tables. Times are microseconds of store time since 1970. Lists of names are joined by a line break.

-- Facts about the store: the versions of the tables and of the policies.
create table headgate_meta (
    key text primary key,
    value integer not null
) strict;
-- policies_pruned: changes of policies up to this version may be gone, so no older version can be restored.
insert into headgate_meta (key, value) values ('schema_version', 0), ('policy_version', 0), ('policies_pruned', 0), ('frame_id', 0);

-- Live jobs. A job that ends moves to headgate_history, so this table stays as small as the work at hand.
create table headgate_job (
    id integer primary key autoincrement,
    queue text not null,
    gates text not null,
    lane text not null,
    type text not null,
    payload text not null,
    cost text not null,
    priority integer not null,
    front integer not null,
    rank integer not null,
    state text not null check (state in ('AWAITING', 'SCHEDULED', 'QUEUED', 'RUNNING', 'PARKED')),
    enqueued_at integer not null,
    run_at integer not null,
    started_at integer,
    -- How long after its start the job may still make its call; 0 if nothing bounds that.
    margin integer not null default 0,
    attempt integer not null,
    attempts_max integer not null,
    lost integer not null,
    epoch integer not null,
    worker text,
    dedup_key text,
    dedup_for integer,
    timeout integer,
    deadline integer,
    retry text,
    frame integer,
    frame_revision integer,
    detail text,
    park_reason text,
    progress integer,
    progress_message text,
    cancel_requested integer not null,
    capped_queue integer not null default 0,
    capped_gate text,
    check ((state = 'RUNNING') = (worker is not null)),
    check ((state = 'PARKED') = (park_reason is not null))
) strict;
-- insert_jobs draws ids from this counter for a whole batch.
insert into sqlite_sequence (name, seq) values ('headgate_job', 0);
create index headgate_job_for_claim on headgate_job (lane, rank) where state = 'QUEUED';
create index headgate_job_for_promotion on headgate_job (queue, run_at) where state = 'SCHEDULED';
create index headgate_job_for_deadline on headgate_job (deadline)
    where deadline is not null and state in ('AWAITING', 'SCHEDULED', 'QUEUED', 'PARKED');
-- Parked jobs by reason, page by page, and those of some types.
create index headgate_job_parked on headgate_job (park_reason, type, id) where state = 'PARKED';
-- Lists and counts of jobs that neither wait for a worker nor run. Few jobs are ever in it.
create index headgate_job_aside on headgate_job (state, id, queue, type) where state in ('AWAITING', 'SCHEDULED', 'PARKED');
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
    id integer primary key,
    queue text not null,
    gates text not null,
    lane text not null,
    type text not null,
    payload text not null,
    cost text not null,
    priority integer not null,
    front integer not null,
    rank integer not null,
    state text not null check (state in ('SUCCEEDED', 'FAILED', 'CANCELLED')),
    enqueued_at integer not null,
    run_at integer not null,
    started_at integer,
    attempt integer not null,
    attempts_max integer not null,
    lost integer not null,
    epoch integer not null,
    worker text,
    dedup_key text,
    dedup_for integer,
    timeout integer,
    deadline integer,
    retry text,
    frame integer,
    frame_revision integer,
    detail text,
    finished_at integer not null,
    result text
) strict;
-- Pruning walks along the ends. Jobs arrive in the order of their ends, so an insert writes the last page of it only.
create index headgate_history_for_pruning on headgate_history (finished_at);
-- Lists and counts of jobs that did not succeed.
create index headgate_history_unhappy on headgate_history (state, id, queue, type) where state in ('FAILED', 'CANCELLED');

-- Attempts that did not succeed.
create table headgate_attempt (
    job integer not null,
    epoch integer not null,
    number integer not null,
    worker text not null,
    started_at integer not null,
    ended_at integer not null,
    outcome text not null,
    error text not null,
    primary key (job, epoch)
) strict;

-- Lines that handlers logged.
create table headgate_log (
    id integer primary key,
    job integer not null,
    epoch integer not null,
    at integer not null,
    line text not null
) strict;
create index headgate_log_by_job on headgate_log (job, id);

-- Doorbells: one row for each lane and enqueue. An enqueue only appends here and touches no shared row.
create table headgate_arrival (
    id integer primary key,
    lane text not null,
    queue text not null,
    gates text not null,
    rank integer not null,
    cost text not null,
    passes integer not null
) strict;
create index headgate_arrival_for_filing on headgate_arrival (queue, rank, id);

-- Lanes that have gates and in which jobs wait.
create table headgate_lane (
    id text primary key,
    queue text not null,
    gates text not null,
    state text not null check (state in ('READY', 'WAITING')),
    rank integer not null,
    cost text not null,
    waiting_at text,
    since integer not null,
    passes integer not null,
    share text not null,
    check ((state = 'WAITING') = (waiting_at is not null))
) strict;
create index headgate_lane_for_claim on headgate_lane (queue, share, rank) where state = 'READY';
create index headgate_lane_in_line on headgate_lane (waiting_at, share, rank) where state = 'WAITING';

-- What each share of a fair queue or gate has had. Touched under the lock of that queue or gate only.
create table headgate_share (
    resource text not null,
    key text not null,
    finish integer not null,
    rank integer not null,
    standing integer not null,
    -- Where the share is charged by time: how many of its jobs run, and until when its tag counts them.
    running integer not null default 0,
    as_of integer not null default 0,
    primary key (resource, key)
) strict;
create index headgate_share_in_order on headgate_share (resource, standing, finish, rank, key);

-- What is in use of gates and queues, never their limits: a changed policy changes no row here.
create table headgate_gate (
    key text primary key,
    leases integer not null check (leases >= 0),
    units integer not null check (units >= 0),
    memory text not null,
    wake_at integer,
    -- Of the last row of its journal: the number, the hash, and until when it is kept.
    journal_count integer not null default 0,
    journal_head text not null default '',
    journal_until integer not null default 0,
    -- Of the last row of its journal that was deleted because its time was over: the number and the hash.
    pruned_count integer not null default 0,
    pruned_hash text not null default ''
) strict;
create index headgate_gate_for_wake on headgate_gate (wake_at) where wake_at is not null;

-- Registered workers, and the jobs that each holds: this one row is the lease of all of them.
create table headgate_worker (
    id text primary key,
    name text not null,
    queues text not null,
    slots integer not null,
    started_at integer not null,
    lease_until integer not null,
    holding text not null,
    room text not null,
    -- How many workers a job of this worker may lose before the job fails.
    lost_max integer not null
) strict;

-- What handlers declare of a job type, and what its runs have shown. Written now and then, never for each job.
create table headgate_profile (
    type text primary key,
    needs text not null,
    expected integer,
    runs text not null,
    updated_at integer not null
) strict;

-- Limits in force, as text, with an override and its end if there is one.
create table headgate_policy (
    key text primary key,
    limits text not null
) strict;

-- Changes of limits, so that any version can be shown and restored.
create table headgate_policy_version (
    version integer not null,
    key text not null,
    kind text not null check (kind in ('SET', 'REMOVE', 'OVERRIDE', 'ENDED', 'UNDO')),
    limits_before text not null,
    limits_after text not null,
    changed_at integer not null,
    author text not null,
    reason text not null,
    primary key (version, key)
) strict;
create index headgate_policy_version_by_key on headgate_policy_version (key, version);

-- Evidence of what gates let start: one row for each gate and batch of starts, for gates that ask for it. Appended under the gate's
-- lock. The rows of a gate are numbered, and each has a hash over itself and the one before.
create table headgate_journal (
    id integer primary key,
    gate text not null,
    at integer not null,
    kind text not null check (kind in ('START', 'SETTLE', 'RETURN', 'LOST', 'LATE', 'CLEAR')),
    starts integer not null,
    units integer not null,
    leases integer not null,
    in_use integer not null,
    started_at integer not null,
    margin integer not null,
    policy text not null,
    version integer not null,
    keep_until integer not null,
    number integer not null,
    hash text not null
) strict;
create index headgate_journal_by_gate on headgate_journal (gate, id);
create index headgate_journal_for_pruning on headgate_journal (keep_until);

-- What is paused: queue:…, gate:… or type:…. Read together with the policies, and versioned with them.
create table headgate_pause (
    key text primary key,
    since integer not null,
    author text not null,
    reason text not null
) strict;

-- Which jobs wait for which. A dependency has the lower number, so there are no circles.
create table headgate_edge (
    job integer not null,
    dependency integer not null,
    unmet text not null check (unmet in ('FAIL', 'IGNORE', 'REMOVE')),
    child integer not null,
    place integer not null,
    outcome text check (outcome in ('SUCCEEDED', 'FAILED', 'CANCELLED', 'DELETED')),
    fatal integer not null default 0,
    primary key (job, dependency),
    check (dependency < job),
    check (fatal = 0 or outcome is not null)
) strict;
-- What a job still waits for, and whether any job waits.
create index headgate_edge_open on headgate_edge (job, place) where outcome is null;
-- The jobs that wait for one, without those that have its outcome already, and all that have ever waited for it.
create index headgate_edge_by_dependency on headgate_edge (dependency, outcome, job);
create index headgate_edge_for_revival on headgate_edge (dependency, job) where fatal = 1;

-- Jobs whose edges need another look: tied by a caller's transaction, or ended with more jobs waiting for them than one transaction
-- settles.
create table headgate_look (
    job integer primary key
) strict;

-- Workflow runs, and their branches, items and child runs. A tree changes under the lock of its root's row only.
create table headgate_frame (
    id integer primary key,
    root integer not null,
    run integer not null,
    name text not null,
    parent integer,
    fork integer not null,
    place integer not null,
    depth integer not null,
    workflow text not null,
    version integer not null,
    queue text not null,
    priority integer not null,
    key text,
    state text not null,
    phase text not null,
    step text,
    revision integer not null,
    events integer not null,
    entered integer not null,
    awaits text,
    due_at integer,
    children text,
    started_at integer not null,
    ended_at integer,
    result text,
    detail text,
    budget text,
    halt text,
    check (state in ('RUNNING', 'SLEEPING', 'AWAITING', 'JOINING', 'BUDGET_EXCEEDED', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
    check ((state in ('SUCCEEDED', 'FAILED', 'CANCELLED')) = (ended_at is not null)),
    check ((parent is null) = (budget is not null))
) strict;
create unique index headgate_frame_for_key on headgate_frame (workflow, key) where key is not null;
create index headgate_frame_roots on headgate_frame (id) where parent is null;
create index headgate_frame_by_root on headgate_frame (root, id) where parent is not null;
create index headgate_frame_by_parent on headgate_frame (parent, fork, place) where parent is not null;
create index headgate_frame_for_signals on headgate_frame (run, awaits) where awaits is not null;
create index headgate_frame_for_pruning on headgate_frame (ended_at) where parent is null and ended_at is not null;

-- What has happened to runs, with the state of every step they entered. Appended only.
create table headgate_event (
    frame integer not null,
    number integer not null,
    at integer not null,
    kind text not null,
    step text,
    detail text,
    state text,
    spent text,
    primary key (frame, number)
) strict, without rowid;

-- Signals that no part of their run has used yet. An id is never given again: it tells one signal from the next.
create table headgate_signal (
    id integer primary key autoincrement,
    run integer not null,
    name text not null,
    json text not null,
    at integer not null
) strict;
create index headgate_signal_by_run on headgate_signal (run, name, id);

-- Keys that senders gave to signals of a run, so that sending one again does nothing.
create table headgate_signal_key (
    run integer not null,
    key text not null,
    primary key (run, key)
) strict, without rowid;

-- Texts that the steps of a run have kept.
create table headgate_artifact (
    run integer not null,
    name text not null,
    content text not null,
    primary key (run, name)
) strict;

-- The shape of every version of every workflow that was registered.
create table headgate_workflow (
    name text not null,
    version integer not null,
    shape text not null,
    since integer not null,
    primary key (name, version)
) strict;

-- When work recurs, and which job each run enqueues. A schedule without next_at is paused or done.
create table headgate_schedule (
    name text primary key,
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
    dedup_for integer,
    timeout integer,
    attempts_max integer not null,
    retry text,
    delay integer not null,
    created_at integer not null,
    paused integer not null,
    settled_at integer not null,
    next_at integer,
    last_at integer,
    note text,
    check (paused = 0 or next_at is null)
) strict;
create index headgate_schedule_for_firing on headgate_schedule (next_at) where next_at is not null;

-- The newest runs of each schedule: one job for each instant.
create table headgate_schedule_run (
    schedule text not null,
    at integer not null,
    job integer not null,
    fired_at integer not null,
    primary key (schedule, at)
) strict, without rowid;
create index headgate_schedule_run_by_job on headgate_schedule_run (job);
