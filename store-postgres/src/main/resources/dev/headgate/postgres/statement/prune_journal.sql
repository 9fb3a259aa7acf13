delete from headgate_journal
where id in (
    select id
    from headgate_journal
    where keep_until < :now
    limit :limit
)
