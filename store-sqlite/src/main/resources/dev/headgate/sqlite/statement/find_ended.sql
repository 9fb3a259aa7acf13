select
    id, queue, gates, type, payload, cost, priority, front, dedup_key, dedup_for, timeout,
    deadline, attempts_max, retry, labels, headers, frame, frame_revision, state, enqueued_at, run_at, started_at, finished_at, attempt,
    lost, epoch, worker, detail, result
from headgate_history
where id in (select value from json_each(:ids))
order by id desc
