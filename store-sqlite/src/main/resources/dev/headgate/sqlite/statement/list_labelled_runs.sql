-- So many of the newest runs that have labels are looked at: the others are not in the index. Those that other runs started are
-- listed with their workflow only.
select
    id, root, run, name, parent, fork, place, depth, workflow, version, queue, priority, key, labels, headers, state,
    phase, step, revision, events, entered, awaits, due_at, children, started_at, ended_at, result,
    detail, budget, halt
from headgate_frame
where id in (
    select f.id
    from (
        select id, root, parent, workflow, state, phase, ended_at, labels
        from headgate_frame indexed by headgate_frame_labelled
        where labels is not null and run = id and id < :before
        order by id desc
        limit :look
    ) f
    where (f.parent is null or :workflow is not null)
        and (:workflow is null or f.workflow = :workflow)
        and (
            :state is null
            or :state = case
                when f.ended_at is not null then f.state
                else coalesce(
                    (select r.halt from headgate_frame r where r.id = f.root),
                    case when f.phase = 'CANCELLING' then f.phase else f.state end
                )
            end
        )
        and not exists (select 1 from json_each(:labels) w where instr(f.labels, w.value) = 0)
    order by f.id desc
    limit :limit
)
order by id desc
