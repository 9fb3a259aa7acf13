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
            when d.is_new
                then d.number - d.priority * 1048576 - case when d.front & 1 = 1 then 262145 + 2 * (d.number % 262144) else 0 end
            else d.old_rank
        end as rank
    from (
        select
            h.id, h.queue, h.gates, h.lane, h.rank as old_rank, h.cost, h.type, h.priority, h.front, h.run_at,
            h.epoch = 0 and h.front < 2 as is_new,
            (select seq from sqlite_sequence where name = 'headgate_job')
                + sum(h.epoch = 0 and h.front < 2) over (order by h.run_at, h.id) as number
        from jsonb_each(:rows) r
        cross join headgate_job h on h.id in (
            select w.id
            from headgate_job w
            where w.state = 'SCHEDULED' and w.queue = r.value ->> 'queue' and w.run_at <= :now
            order by w.run_at, w.id
            limit :limit
        )
    ) d
) j
left join headgate_lane l on l.id = j.lane
order by j.run_at, j.id
