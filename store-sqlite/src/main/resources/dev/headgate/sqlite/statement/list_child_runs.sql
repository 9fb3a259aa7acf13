-- Child runs of one workflow. A stop of the whole tree stands at its root.
select
    id, root, run, name, parent, fork, place, depth, workflow, version, queue, priority, key, state,
    phase, step, revision, events, entered, awaits, due_at, children, started_at, ended_at, result,
    detail, budget, halt
from headgate_frame f
where parent is not null
    and run = id
    and workflow = :workflow
    and (
        :state is null
        or :state = case
            when ended_at is not null then state
            else coalesce(
                (select r.halt from headgate_frame r where r.id = f.root),
                case when phase = 'CANCELLING' then phase else state end
            )
        end
    )
    and id < :before
order by id desc
limit :limit
