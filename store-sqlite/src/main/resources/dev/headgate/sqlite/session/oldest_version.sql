-- The oldest version that a program must know. A store that does not say takes programs of its own version only.
select min(value) from headgate_meta where key in ('schema_version', 'oldest_version')
