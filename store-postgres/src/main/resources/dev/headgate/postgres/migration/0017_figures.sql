-- Figures over time: one row for each interval, and one for each process that has something to say of it until they are merged.
create table headgate_figure (
    -- part, 10s, 10m, total or mark.
    grain text collate "C" not null,
    at bigint not null,
    -- What wrote a part; empty for the rows of the whole store.
    source text collate "C" not null,
    data text not null,
    primary key (grain, at, source)
);

-- New jobs are counted from here on.
insert into headgate_figure (grain, at, source, data)
select 'mark', 0, '', n.id || ' 0 ' || n.id || ' 0'
from (
    select case when is_called then last_value else 0 end as id
    from headgate_job_id
) n;
