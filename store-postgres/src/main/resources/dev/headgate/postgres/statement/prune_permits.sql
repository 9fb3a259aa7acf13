delete from headgate_permit
where id in (
    select id
    from headgate_permit
    where ends_at < :before
    order by ends_at
    limit :limit
)
