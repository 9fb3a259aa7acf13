delete from headgate_journal
where id = any(:ids::bigint[])
