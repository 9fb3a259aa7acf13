insert into headgate_schedule (
    name, timing, missed, overlap, queue, gates, type, payload, cost, priority, front, dedup_key, dedup_for,
    timeout, attempts_max, retry, labels, headers, delay, created_at, paused, settled_at, next_at, last_at, note
)
values (
    :name, :timing, :missed, :overlap, :queue, :gates, :type, :payload, :cost, :priority, :front, :dedup_key,
    :dedup_for, :timeout, :attempts_max, :retry, :labels, :headers, :delay, :created_at, :paused, :settled_at, :next_at, :last_at,
    :note
)
on conflict (name) do nothing
