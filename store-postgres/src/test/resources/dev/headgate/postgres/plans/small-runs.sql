-- 25,000 runs of three parts each, over.
create temporary table base as
select
    nextval('headgate_frame_id') as frame,
    nextval('headgate_job_id') + 100001 as job,
    1767225600000000 as now,
    86400000000 as day;
select setval('headgate_job_id', (select job from base));

insert into headgate_frame (
    id, root, run, name, parent, fork, place, depth, workflow, version, queue, priority, key, state, phase, revision, events,
    entered, started_at, ended_at, result, budget
)
select
    base.frame + g, base.frame + g - g % 4, base.frame + g - g % 4, 'r', case when g % 4 > 0 then base.frame + g - g % 4 end, 0, g % 4,
    case when g % 4 > 0 then 1 else 0 end, 'old', 1, 'default', 0, case when g % 4 = 0 then 'key' || g end, 'SUCCEEDED', 'FORWARD', 1, 3, 2,
    base.now - base.day, base.now - base.day, '{}', case when g % 4 = 0 then '' end
from base, generate_series(0, 99999) as g;
insert into headgate_event (frame, number, at, kind, step, state)
select base.frame + g, n, base.now - base.day, case n when 1 then 'STARTED' when 2 then 'ENTERED' else 'ENDED' end, 'each', '{}'
from base, generate_series(0, 99999) as g, generate_series(1, 3) as n;
select setval('headgate_frame_id', (select frame + 100000 from base));

insert into headgate_history (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at, started_at, attempt,
    attempts_max, lost, epoch, worker, frame, frame_revision, finished_at
)
select
    base.job - g, 'default', '', '', 'type' || g % 7, '{}', '1', 0, 0, base.job - g,
    case when g % 100 = 0 then 'FAILED' else 'SUCCEEDED' end,
    at, at, at, 1, 3, 0, 1, 'worker', base.frame + g % 1000, 0, at
from base
cross join generate_series(100000, 1, -1) as g
cross join lateral (select base.now - base.day - g * 1000::bigint as at) a;
