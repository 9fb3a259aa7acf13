delete from headgate_frame
where id = any(:ids::bigint[])
