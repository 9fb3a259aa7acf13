delete from headgate_signal
where id = any(:ids::bigint[])
returning id
