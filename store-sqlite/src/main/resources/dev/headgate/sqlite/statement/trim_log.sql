delete from headgate_log
where job = :job
    and id <= (select id from headgate_log where job = :job order by id desc limit 1 offset :keep)
