-- Jobs without a key against duplicates: each is new, so nothing has to be found out for any of them (insert_jobs does
-- that, for a third more). Ids are drawn and answered in the order of the rows. If the caller has not read the time, it is taken here. Nothing is appended if the jobs
-- were checked under another version of the policies than the stored one.
insert into headgate_job (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    attempt, attempts_max, lost, epoch, timeout, deadline, retry, labels, headers, frame, frame_revision,
    cancel_requested, capped_queue, capped_gate
)
select
    id, queue, gates, lane, type, payload, cost, priority, front,
    id - priority * 1048576 - case when front & 1 = 1 then 262145 + 2 * (id % 262144) else 0 end,
    state,
    coalesce(enqueued_at, (select (extract(epoch from statement_timestamp()) * 1000000)::bigint)),
    coalesce(run_at, (select (extract(epoch from statement_timestamp()) * 1000000)::bigint)),
    0, attempts_max, 0, 0, timeout, deadline, retry, labels, headers, frame, frame_revision, 0,
    capped_queue, capped_gate
from (
    select nextval('headgate_job_id') as id, i.*
    from unnest(
        :queue::text[],
        :gates::text[],
        :lane::text[],
        :type::text[],
        :payload::text[],
        :cost::text[],
        :priority::bigint[],
        :front::bigint[],
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
        queue, gates, lane, type, payload, cost, priority, front, timeout, deadline, attempts_max, retry, labels, headers, frame,
        frame_revision, state, enqueued_at, run_at, capped_queue, capped_gate
    )
) n
where :policies::bigint is null
    or :policies::bigint = (select value from headgate_meta where key = 'policy_version')
returning id
