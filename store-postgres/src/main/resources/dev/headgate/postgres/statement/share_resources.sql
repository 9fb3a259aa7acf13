-- From one to the next: there are few, and many shares of each.
with recursive resources as (
    (
        select resource
        from headgate_share
        order by resource
        limit 1
    )
    union all
    select (
        select s.resource
        from headgate_share s
        where s.resource > r.resource
        order by s.resource
        limit 1
    )
    from resources r
    where r.resource is not null
)
select resource
from resources
where resource is not null
