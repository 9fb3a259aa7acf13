delete from headgate_figure
where (grain, at, source) in (
    select r.value ->> 'grain', r.value ->> 'at', r.value ->> 'source'
    from jsonb_each(:rows) r
)
