delete from headgate_pause
where key = :key
