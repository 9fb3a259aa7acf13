update headgate_edge
set fatal = 1
where job = :job and dependency = :dependency and outcome is not null
-- then
update headgate_history
set detail = :detail
where id = :job
