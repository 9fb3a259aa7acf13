-- A store that has been at work for long: a million jobs that wait, what has ended, and what goes with them. Almost
-- everything is blocked, not due or over, so whatever reads it does so for nothing. The parked jobs are the oldest: a
-- search from the newest on reads all others first.
create function pg_temp.lane_of(queue text, gates text[]) returns text language sql immutable as $$
    select translate(rtrim(encode(substring(sha256(string_agg(int2send(length(part)::int2) || convert_to(part, 'UTF8'), ''::bytea order by n)) for 16), 'base64'), '='), '+/', '-_')
    from unnest(array[queue] || gates) with ordinality as p (part, n)
$$;

-- Ten thousand keys whose one place is taken, and thirty thousand lanes in line at one gate.
create temporary table key as
select i, 'k' || i as gates, pg_temp.lane_of('work', array['k' || i]) as lane, 'gate:k' || i as waiting_at
from generate_series(0, 9999) as i
union all
select 10000 + i, E'line\nt' || i, pg_temp.lane_of('work', array['line', 't' || i]), 'gate:line'
from generate_series(0, 29999) as i
union all
select -1, '', pg_temp.lane_of('work', array[]::text[]), null
union all
select -2, '', pg_temp.lane_of('capped', array[]::text[]), null;
create unique index on key (i);

create temporary table base as
select o.old, o.old + 300001 as id, nextval('headgate_frame_id') as frame, 1767225600000000 as now, 86400000000 as day
from (select nextval('headgate_job_id') as old) o;

insert into headgate_job (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at, attempt, attempts_max,
    lost, epoch, dedup_key, deadline, frame, frame_revision, detail, park_reason, cancel_requested, capped_queue,
    labels
)
select
    base.id + g,
    case when kind = 16 then 'capped' else 'work' end,
    key.gates,
    key.lane,
    case when g <= 20000 then 'gone' else 'type' || g % 7 end,
    '{"number":' || g || ',"text":"a payload of some length"}',
    '1',
    0,
    0,
    base.id + g,
    case
        when g <= 20000 then 'PARKED'
        when kind = 17 then 'SCHEDULED'
        when kind = 18 then 'AWAITING'
        else 'QUEUED'
    end,
    base.now - 1000000,
    case when kind = 17 then base.now + base.day * 300 + g else base.now - 1000000 end,
    0,
    3,
    0,
    0,
    case when kind = 19 then 'dedup' || g end,
    case when kind = 19 then base.now + base.day * 300 end,
    case when kind = 1 then base.frame + g % 50000 end,
    case when kind = 1 then -2 end,
    null,
    case when g <= 20000 then 'UNKNOWN_HANDLER' end,
    0,
    case when kind = 16 then 1 else 0 end,
    case when g % 50 = 0 then '{"team":"t' || g % 20 || '"}' end
from base
cross join generate_series(1, 1000000) as g
cross join lateral (select g % 20 as kind) k
join key on key.i = case when kind < 6 then g % 10000 when kind < 12 then 10000 + g % 30000 when kind = 16 then -2 else -1 end;
select setval('headgate_job_id', (select id + 1000000 from base));

insert into headgate_lane (id, queue, gates, state, rank, cost, waiting_at, since, passes, share)
select key.lane, 'work', key.gates, 'WAITING', head.rank, '1', key.waiting_at, base.now, 0, ''
from base
cross join key
join (
    select lane, min(rank) as rank
    from headgate_job
    where state = 'QUEUED'
    group by lane
) head on head.lane = key.lane
where key.i >= 0
on conflict (id) do update set state = excluded.state, rank = excluded.rank, waiting_at = excluded.waiting_at;

insert into headgate_gate (key, leases, units, memory, wake_at)
select 'gate:k' || i, 1, 1, '', null::bigint from generate_series(0, 9999) as i
union all
select 'gate:t' || i, 0, 0, '', null from generate_series(0, 29999) as i
union all
-- It has room for one more, and it is to be looked at at once.
select 'gate:line', 4, 4, '', now from base
union all
select 'gate:w' || i, 0, 0, '', (select now + day * 300 + i from base) from generate_series(0, 9999) as i
on conflict (key) do update set leases = excluded.leases, units = excluded.units, wake_at = excluded.wake_at;


insert into headgate_history (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at, started_at, attempt,
    attempts_max, lost, epoch, worker, finished_at, labels
)
select
    base.id - g, 'work', '', '', 'type' || g % 7, '{"number":' || g || ',"text":"a payload of some length"}', '1', 0, 0, base.id - g,
    case when g % 100 = 0 then 'FAILED' else 'SUCCEEDED' end,
    at, at, at, 1, 3, 0, 1, 'worker', at, case when g % 50 = 0 then '{"team":"t' || g % 20 || '"}' end
from base
cross join generate_series(300000, 1, -1) as g
cross join lateral (select base.now - base.day - g * 1000000::bigint as at) a;

insert into headgate_attempt (job, epoch, number, worker, started_at, ended_at, outcome, error)
select base.id - g, 1, 1, 'worker', 0, 0, 'FAILED', 'error' from base, generate_series(1, 50000) as g;
insert into headgate_log (job, epoch, at, line)
select base.id - g, 1, 0, 'line' from base, generate_series(1, 50000) as g;
insert into headgate_edge (job, dependency, unmet, child, place, outcome)
select base.id + g, base.id + g - 1, 'FAIL', 0, 0, null from base, generate_series(20018, 1000000, 20) as g
union all
select base.id - g, base.id - g - 1, 'FAIL', 0, 0, 'SUCCEEDED' from base, generate_series(1, 50000) as g;

insert into headgate_frame (
    id, root, run, name, parent, fork, place, depth, workflow, version, queue, priority, key, state, phase, revision, events,
    entered, awaits, due_at, started_at, ended_at, budget
)
select
    base.frame + g, base.frame + g % 50000, base.frame + g % 50000, 'r', case when g >= 50000 then base.frame + g % 50000 end, 0, 0,
    0, 'old', 1, 'work', 0, case when g < 50000 then 'key' || g end, case when g % 3 = 0 then 'AWAITING' else 'SUCCEEDED' end, 'FORWARD', 0, 0, 0,
    case when g % 3 = 0 then 'go' end, null, base.now,
    case when g % 3 > 0 then base.now - base.day - (300000 - g % 50000) * 1000000::bigint end, case when g < 50000 then '' end
from base, generate_series(0, 99999) as g;
select setval('headgate_frame_id', (select frame + 100000 from base));
insert into headgate_event (frame, number, at, kind)
select base.frame + g, 0, base.now, 'STARTED' from base, generate_series(0, 99999) as g;
insert into headgate_signal (run, name, json, at)
select base.frame + g, 'other', '1', base.now from base, generate_series(0, 49999) as g;
insert into headgate_signal_key (run, key)
select base.frame + g, 'other' from base, generate_series(0, 49999) as g;
insert into headgate_artifact (run, name, content)
select base.frame + g, 'other', '1' from base, generate_series(0, 49999) as g;

insert into headgate_journal (gate, at, kind, starts, units, leases, in_use, started_at, margin, policy, version, keep_until, number, hash)
select 'gate:k' || g % 100, base.now, 'START', 1, 1, 1, 1, base.now, 0, '', 1, base.now + base.day * 300, g / 100, '' from base, generate_series(1, 50000) as g;
insert into headgate_share (resource, key, finish, rank, standing)
select 'queue:other', 's' || g, g, g, g % 2 from generate_series(1, 20000) as g;
insert into headgate_schedule_run (schedule, at, job, fired_at)
select 's' || g % 100, g, base.id - g, g from base, generate_series(1, 50000) as g;
