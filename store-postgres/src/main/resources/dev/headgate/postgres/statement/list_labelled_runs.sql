-- So many of the newest runs that have labels are looked at: the others are not in the index. Those that other runs started are
-- listed with their workflow only.
select
    id, root, run, name, parent, fork, place, depth, workflow, version, queue, priority, key, labels, headers, state,
    phase, step, revision, events, entered, awaits, due_at, children, started_at, ended_at, result,
    detail, budget, halt
from headgate_frame
where id = any(array(
    select f.id
    from (
        select id, root, parent, workflow, state, phase, ended_at, labels
        from headgate_frame
        where labels is not null and run = id and id < :before
        order by id desc
        limit :look
    ) f
    where (f.parent is null or :workflow::text is not null)
        and (:workflow::text is null or f.workflow = :workflow::text)
        and (
            :state::text is null
            or :state::text = case
                when f.ended_at is not null then f.state
                else coalesce(
                    (select r.halt from headgate_frame r where r.id = f.root),
                    case when f.phase = 'CANCELLING' then f.phase else f.state end
                )
            end
        )
        and not exists (select from unnest(:labels::text[]) as w (pair) where strpos(f.labels, w.pair) = 0)
    order by f.id desc
    limit :limit
))
order by id desc
