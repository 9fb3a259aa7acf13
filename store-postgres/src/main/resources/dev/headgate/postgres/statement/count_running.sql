select j.queue, 'RUNNING', count(*)
from headgate_worker w
cross join lateral (
    -- each is told by its distance from the one before
    select (sum(d.distance) over (order by d.place))::bigint as job
    from unnest(string_to_array(w.holding, ' ')::bigint[]) with ordinality as d (distance, place)
) h
cross join lateral (
    select queue
    from headgate_job
    where id = h.job and state = 'RUNNING' and worker = w.id
    offset 0
) j
group by j.queue
