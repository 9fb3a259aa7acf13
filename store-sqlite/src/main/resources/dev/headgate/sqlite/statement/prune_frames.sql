delete from headgate_event
where frame in (select value from json_each(:ids))
-- then
delete from headgate_artifact
where run in (select value from json_each(:ids))
-- then
delete from headgate_signal
where run in (select value from json_each(:ids))
-- then
delete from headgate_signal_key
where run in (select value from json_each(:ids))
-- then
delete from headgate_frame
where id in (select value from json_each(:ids))
returning id
