delete from headgate_look
where job in (select job from headgate_look order by job limit :limit)
returning job
