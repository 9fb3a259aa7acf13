delete from headgate_look
where job = any(array(
    select job
    from headgate_look
    order by job
    limit :limit
    for update skip locked
))
returning job
