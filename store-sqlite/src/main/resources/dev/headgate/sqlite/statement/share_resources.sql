-- From one to the next: there are few, and many shares of each.
with recursive resources (resource) as (
    select min(resource)
    from headgate_share
    union all
    select (
        select min(s.resource)
        from headgate_share s
        where s.resource > r.resource
    )
    from resources r
    where r.resource is not null
)
select resource
from resources
where resource is not null
