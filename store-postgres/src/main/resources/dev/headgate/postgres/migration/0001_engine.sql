-- The tables of the engine. Times are microseconds of store time since 1970; names are opaque text.
create table headgate_meta (
    key text primary key,
    value bigint not null
);
insert into headgate_meta (key, value) values ('schema_version', 0), ('policy_version', 0);

create sequence headgate_job_id;
create sequence headgate_frame_id;

-- Live jobs only: what has ended moves to headgate_history, so this table stays as small as the work at hand.
create table headgate_job (
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
    state text not null check (state in ('AWAITING', 'SCHEDULED', 'QUEUED', 'RUNNING', 'PARKED')),
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
    park_reason text,
    progress integer,
    progress_message text,
    cancel_requested integer not null,
    capped_queue integer not null default 0,
    capped_gate text,
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
create index headgate_job_for_unparking on headgate_job (park_reason, type) where state = 'PARKED';
-- Jobs that run are not in it, so that a start leaves it alone; their workers' rows have them.
create index headgate_job_by_frame on headgate_job (frame) where frame is not null and state <> 'RUNNING';
create unique index headgate_job_for_dedup on headgate_job (dedup_key) where dedup_key is not null;
-- Only jobs whose queue or gate has a cap on its backlog are in these.
create index headgate_job_in_queue_backlog on headgate_job (queue, id)
    where capped_queue = 1 and state in ('AWAITING', 'SCHEDULED', 'QUEUED');
create index headgate_job_in_gate_backlog on headgate_job (capped_gate, id)
    where capped_gate is not null and state in ('AWAITING', 'SCHEDULED', 'QUEUED');

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
);
-- Rows arrive in the order of their end: a block range index finds the old ones and costs an insert nothing.
create index headgate_history_for_pruning on headgate_history using brin (finished_at) with (pages_per_range = 32);

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

create table headgate_log (
    id bigint generated always as identity primary key,
    job bigint not null,
    epoch bigint not null,
    at bigint not null,
    line text not null
);
create index headgate_log_by_job on headgate_log (job, id);

-- Doorbells: one row per lane and enqueue, appended without touching any shared row.
create table headgate_arrival (
    id bigint generated always as identity primary key,
    lane text not null,
    queue text not null,
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

create table headgate_lane (
    id text primary key,
    queue text not null,
    gates text not null,
    state text not null check (state in ('READY', 'WAITING')),
    rank bigint not null,
    cost text not null,
    waiting_at text,
    since bigint not null,
    passes integer not null,
    share text not null,
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

-- Who has had how much of a fair queue or gate. Touched under the lock of that queue or gate only.
create table headgate_share (
    resource text not null,
    key text not null,
    finish bigint not null,
    rank bigint not null,
    standing integer not null,
    primary key (resource, key)
)
with (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0
);
create index headgate_share_in_order on headgate_share (resource, standing, finish, rank, key);

-- What is in use, never the limits: a changed policy needs no change here.
create table headgate_gate (
    key text primary key,
    leases bigint not null check (leases >= 0),
    units bigint not null check (units >= 0),
    memory text not null,
    wake_at bigint
)
with (
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0
);
create index headgate_gate_for_wake on headgate_gate (wake_at) where wake_at is not null;

create table headgate_worker (
    id text primary key,
    name text not null,
    queues text not null,
    slots integer not null,
    started_at bigint not null,
    lease_until bigint not null,
    holding text not null,
    room text not null
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

-- What is in force: limits as text, with an override and its end if there is one.
create table headgate_policy (
    key text primary key,
    limits text not null,
    version bigint not null,
    changed_at bigint not null
);

-- Every change ever made, so that any version can be shown and restored.
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

-- Evidence: one row per gate and batch of starts, for gates that ask for it. Appended under the gate's lock.
create table headgate_journal (
    id bigint generated always as identity primary key,
    gate text not null,
    at bigint not null,
    kind text not null check (kind in ('START', 'SETTLE', 'CLEAR')),
    starts bigint not null,
    units bigint not null,
    leases bigint not null,
    in_use bigint not null,
    started_at bigint not null,
    policy text not null,
    keep_until bigint not null
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

-- Which jobs wait for which. A job stands before those that wait for it: a dependency has the lower number.
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
create index headgate_edge_open on headgate_edge (job, place) where outcome is null;
create index headgate_edge_for_settling on headgate_edge (dependency, job) where outcome is null;
create index headgate_edge_for_revival on headgate_edge (dependency, job) where fatal = 1;

-- Jobs that somebody must look at: tied by a caller's transaction, or ended with more waiting for them than one
-- transaction does.
create table headgate_look (
    job bigint primary key
);

-- Workflow runs, and the branches, items and child runs of them. A tree is changed under the lock of its root's row only.
create table headgate_frame (
    id bigint primary key,
    root bigint not null,
    run bigint not null,
    name text not null,
    parent bigint,
    fork bigint not null,
    place bigint not null,
    depth bigint not null,
    workflow text not null,
    version bigint not null,
    queue text not null,
    priority bigint not null,
    key text,
    state text not null,
    phase text not null,
    step text,
    revision bigint not null,
    events bigint not null,
    entered bigint not null,
    awaits text,
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
-- A run changes its row at every step: in the same page, or each change would be written to every index as well. Half of
-- a page is free, because the runs of a page are likely to move in the same turn (6.6 microseconds a row, 8.6 with a third).
with (fillfactor = 50);
create unique index headgate_frame_for_key on headgate_frame (workflow, key) where key is not null;
create index headgate_frame_roots on headgate_frame (id) where parent is null;
create index headgate_frame_by_root on headgate_frame (root, id) where parent is not null;
create index headgate_frame_by_parent on headgate_frame (parent, fork, place) where parent is not null;
create index headgate_frame_for_signals on headgate_frame (run, awaits) where awaits is not null;
create index headgate_frame_for_pruning on headgate_frame (ended_at) where parent is null and ended_at is not null;

-- What has happened to frames, with the state of every step they entered. Appended only.
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

-- Signals that no part of their run has used up yet.
create table headgate_signal (
    id bigint generated always as identity primary key,
    run bigint not null,
    name text not null,
    json text not null,
    at bigint not null
);
create index headgate_signal_by_run on headgate_signal (run, name, id);

-- Keys that senders gave to what they sent to a run, so that sending it again does nothing.
create table headgate_signal_key (
    run bigint not null,
    key text not null,
    primary key (run, key)
);

create table headgate_artifact (
    run bigint not null,
    name text not null,
    content text not null,
    at bigint not null,
    primary key (run, name)
);

-- The shape of every version of every workflow that was ever registered.
create table headgate_workflow (
    name text not null,
    version bigint not null,
    shape text not null,
    since bigint not null,
    primary key (name, version)
);
