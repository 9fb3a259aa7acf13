-- Where they will stand: those that take a new place, as if they drew their numbers now.
select
    j.queue,
    j.gates,
    j.lane,
    j.rank,
    j.cost,
    j.type,
    case when l.state = 'WAITING' and j.rank > l.rank then 1 else 0 end
from (
    select
        d.*,
        case
            when d.is_new = 1
                then d.number - d.priority * 1048576 - case when d.front & 1 = 1 then 262145 + 2 * (d.number % 262144) else 0 end
            else d.old_rank
        end as rank
    from (
        select
            h.*,
            (select coalesce(pg_sequence_last_value('headgate_job_id'), 0))
                + sum(h.is_new) over (order by h.run_at, h.id) as number
        from unnest(:queue::text[]) as q (queue)
        cross join lateral (
            select
                id, queue, gates, lane, rank as old_rank, cost, type, priority, front, run_at,
                case when epoch = 0 and front < 2 then 1 else 0 end as is_new
            from headgate_job
            where state = 'SCHEDULED' and queue = q.queue and run_at <= :now
            order by run_at, id
            limit :limit
        ) h
    ) d
) j
left join headgate_lane l on l.id = j.lane
order by j.run_at, j.id
