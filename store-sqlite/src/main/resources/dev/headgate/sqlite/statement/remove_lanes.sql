delete from headgate_lane
where id in (select r.value ->> 'lane' from jsonb_each(:rows) r)
