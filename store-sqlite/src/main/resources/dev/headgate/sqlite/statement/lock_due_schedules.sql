select
    name, timing, missed, overlap,
    queue, gates, type, payload, cost, priority, front, dedup_key, dedup_for, timeout, null, attempts_max, retry, labels, headers,
    null, null, delay, created_at, paused, settled_at, next_at, last_at, note
from headgate_schedule
where next_at <= :now
order by next_at, name
limit :limit
