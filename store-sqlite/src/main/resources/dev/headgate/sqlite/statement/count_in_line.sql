-- Jobs of lanes that stand in line, counted so far.
select q.value, (
    select count(*)
    from (
        select 1
        from headgate_lane l
        cross join headgate_job j on j.lane = l.id and j.state = 'QUEUED'
        where l.state = 'WAITING' and l.queue = q.value
        limit :max
    )
)
from json_each(:queues) q
