-- Jobs of the lanes in line at each gate, counted so far.
select g.value, (
    select count(*)
    from (
        select 1
        from headgate_lane l
        cross join headgate_job j on j.lane = l.id and j.state = 'QUEUED'
        where l.waiting_at = g.value and l.state = 'WAITING'
        limit :max
    )
)
from json_each(:gates) g
