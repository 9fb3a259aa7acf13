-- The first column: ready lanes, and lanes that only a doorbell would make ready. The second: the most rows that were read of either.
with ready as (
    select 1
    from headgate_lane
    where queue = :queue and state = 'READY' and rank < :rank
    limit :max
),
rung as (
    select lane, rank
    from headgate_arrival
    where queue = :queue and rank < :rank
    order by rank, id
    limit :max
)
select
    (select count(*) from ready)
    + (
        select count(distinct r.lane)
        from rung r
        left join headgate_lane l on l.id = r.lane
        where l.id is null or (l.state = 'WAITING' and r.rank <= l.rank)
    ),
    greatest((select count(*) from ready), (select count(*) from rung))
