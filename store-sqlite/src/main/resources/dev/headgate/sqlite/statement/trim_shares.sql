delete from headgate_share
where resource = :resource
    and standing = 0
    and running = 0
    and key in (
        select key
        from headgate_share
        where resource = :resource and standing = 0 and running = 0
        order by finish desc, rank desc, key desc
        limit -1 offset :kept
    )
