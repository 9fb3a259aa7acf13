update headgate_job
set lost = lost - 1,
    attempt = attempt - 1
where id in (select value from json_each(:jobs)) and lost > 0
returning id
