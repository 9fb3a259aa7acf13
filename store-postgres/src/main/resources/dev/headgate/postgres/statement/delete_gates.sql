delete from headgate_gate
where key = any(:gates::text[])
