-- The rows last, because they tell what goes with them.
delete from headgate_edge
where job in (select h.id from json_each(:ids) i cross join headgate_history h on h.id = i.value)
-- then
delete from headgate_attempt
where job in (select h.id from json_each(:ids) i cross join headgate_history h on h.id = i.value)
-- then
delete from headgate_log
where job in (select h.id from json_each(:ids) i cross join headgate_history h on h.id = i.value)
-- then
delete from headgate_history
where id in (select value from json_each(:ids))
returning id
