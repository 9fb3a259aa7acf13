-- So many of the newest are looked at, and of those that match the rows are read.
select
    id, root, run, name, parent, fork, place, depth, workflow, version, queue, priority, key, labels, headers, state,
    phase, step, revision, events, entered, awaits, due_at, children, started_at, ended_at, result,
    detail, budget, halt
from headgate_frame
where id = any(array(
    select f.id
    from (
        select id, workflow, state, phase, ended_at, halt
        from headgate_frame
        where parent is null and id < :before
        order by id desc
        limit :look
    ) f
    where (:workflow::text is null or workflow = :workflow::text)
        and (:state::text is null or coalesce(halt, case when phase = 'CANCELLING' and ended_at is null then phase else state end) = :state::text)
    order by f.id desc
    limit :limit
))
order by id desc
