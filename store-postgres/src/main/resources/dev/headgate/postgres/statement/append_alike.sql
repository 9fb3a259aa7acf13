-- Jobs that differ in nothing but their payloads, without a key against duplicates. Ids are drawn and answered in the order
-- of the payloads. If the caller has not read the time, it is taken here. Nothing is appended if the jobs
-- were checked under another version of the policies than the stored one.
insert into headgate_job (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    attempt, attempts_max, lost, epoch, timeout, deadline, retry, labels, headers, frame, frame_revision,
    cancel_requested, capped_queue, capped_gate
)
select
    id,
    :queue::text,
    :gates::text,
    :lane::text,
    :type::text,
    payload,
    :cost::text,
    :priority::bigint,
    :front::bigint,
    id - :priority::bigint * 1048576 - case when :front::bigint & 1 = 1 then 262145 + 2 * (id % 262144) else 0 end,
    :state::text,
    coalesce(:enqueued_at::bigint, (select (extract(epoch from statement_timestamp()) * 1000000)::bigint)),
    coalesce(:run_at::bigint, (select (extract(epoch from statement_timestamp()) * 1000000)::bigint)),
    0,
    :attempts_max::bigint,
    0,
    0,
    :timeout::bigint,
    :deadline::bigint,
    :retry::text,
    :labels::text,
    :headers::text,
    :frame::bigint,
    :frame_revision::bigint,
    0,
    :capped_queue::bigint,
    :capped_gate::text
from (
    select nextval('headgate_job_id') as id, payload
    from unnest(:payloads::text[]) as p (payload)
) n
where :policies::bigint is null
    or :policies::bigint = (select value from headgate_meta where key = 'policy_version')
returning id
