delete from headgate_history
where id = :id
returning id
-- then
delete from headgate_attempt
where job = :id
-- then
delete from headgate_log
where job = :id
-- then
delete from headgate_edge
where job = :id
