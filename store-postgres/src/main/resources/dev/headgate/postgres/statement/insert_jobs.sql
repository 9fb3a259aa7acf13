-- Ids are drawn before the insert, so that every row can answer whether it was new.
with input as (
    select nextval('headgate_job_id') as id, i.*
    from unnest(
        :place::bigint[],
        :queue::text[],
        :gates::text[],
        :lane::text[],
        :type::text[],
        :payload::text[],
        :cost::text[],
        :priority::bigint[],
        :front::bigint[],
        :dedup_key::text[],
        :dedup_for::bigint[],
        :timeout::bigint[],
        :deadline::bigint[],
        :attempts_max::bigint[],
        :retry::text[],
        :labels::text[],
        :headers::text[],
        :frame::bigint[],
        :frame_revision::bigint[],
        :state::text[],
        :enqueued_at::bigint[],
        :run_at::bigint[],
        :capped_queue::bigint[],
        :capped_gate::text[]
    ) as i (
        place, queue, gates, lane, type, payload, cost, priority, front, dedup_key, dedup_for,
        timeout, deadline, attempts_max, retry, labels, headers, frame, frame_revision, state, enqueued_at, run_at,
        capped_queue, capped_gate
    )
),
inserted as (
    insert into headgate_job (
        id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at,
        run_at, attempt, attempts_max, lost, epoch, dedup_key, dedup_for, timeout, deadline, retry,
        labels, headers, frame, frame_revision, cancel_requested, capped_queue, capped_gate
    )
    select
        id, queue, gates, lane, type, payload, cost, priority, front,
        id - priority * 1048576 - case when front & 1 = 1 then 262145 + 2 * (id % 262144) else 0 end,
        state, enqueued_at, run_at, 0, attempts_max, 0, 0, dedup_key, dedup_for, timeout, deadline, retry,
        labels, headers, frame, frame_revision, 0, capped_queue, capped_gate
    from input
    order by place
    on conflict (dedup_key) where dedup_key is not null do nothing
    returning id
)
select i.place, i.id, (n.id is not null)::int
from input i
left join inserted n on n.id = i.id
