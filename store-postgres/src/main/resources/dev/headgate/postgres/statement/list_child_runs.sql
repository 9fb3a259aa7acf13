-- Child runs of one workflow, so many of the newest. A stop of the whole tree stands at its root.
select
    id, root, run, name, parent, fork, place, depth, workflow, version, queue, priority, key, labels, headers, state,
    phase, step, revision, events, entered, awaits, due_at, children, started_at, ended_at, result,
    detail, budget, halt
from headgate_frame
where id = any(array(
    select f.id
    from (
        select id, root, state, phase, ended_at
        from headgate_frame
        where parent is not null and run = id and workflow = :workflow and id < :before
        order by id desc
        limit :look
    ) f
    where :state::text is null
        or :state::text = case
                when f.ended_at is not null then f.state
                else coalesce(
                    (select r.halt from headgate_frame r where r.id = f.root),
                    case when f.phase = 'CANCELLING' then f.phase else f.state end
                )
            end
    order by f.id desc
    limit :limit
))
order by id desc
