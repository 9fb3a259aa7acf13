delete from headgate_lane
where id = any(:lane::text[])
