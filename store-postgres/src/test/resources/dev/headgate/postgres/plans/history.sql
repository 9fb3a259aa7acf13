-- Nothing but history: 200,000 jobs that have ended, those that waited for others too, runs of schedules, attempts and log lines.
create temporary table base as
select
    nextval('headgate_frame_id') as frame,
    nextval('headgate_job_id') + 200001 as job,
    1767225600000000 as now,
    86400000000 as day;
select setval('headgate_job_id', (select job from base));

insert into headgate_history (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at, started_at, attempt,
    attempts_max, lost, epoch, worker, frame, frame_revision, finished_at
)
select
    base.job - g, 'default', '', '', 'type' || g % 7, '{}', '1', 0, 0, base.job - g,
    case when g % 100 = 0 then 'FAILED' else 'SUCCEEDED' end,
    at, at, at, 1, 3, 0, 1, 'worker', base.frame + g % 1000, 0, at
from base
cross join generate_series(200000, 1, -1) as g
cross join lateral (select base.now - base.day - g * 1000::bigint as at) a;

insert into headgate_edge (job, dependency, unmet, child, place, outcome)
select base.job - g, base.job - g - 1, 'FAIL', 0, 0, 'SUCCEEDED' from base, generate_series(1, 100000) as g;
insert into headgate_schedule_run (schedule, at, job, fired_at)
select 's' || g % 100, g, base.job - g, g from base, generate_series(1, 50000) as g;
insert into headgate_attempt (job, epoch, number, worker, started_at, ended_at, outcome, error)
select base.job - g, 1, 1, 'worker', 0, 0, 'FAILED', 'error' from base, generate_series(1, 50000) as g;
insert into headgate_log (job, epoch, at, line)
select base.job - g, 1, 0, 'line' from base, generate_series(1, 50000) as g;
