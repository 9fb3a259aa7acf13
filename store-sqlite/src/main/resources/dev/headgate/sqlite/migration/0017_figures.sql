-- Figures over time: one row for each interval, and one for each process that has something to say of it until they are merged.
create table headgate_figure (
    -- part, 10s, 10m, total or mark.
    grain text not null,
    at integer not null,
    -- What wrote a part; empty for the rows of the whole store.
    source text not null,
    data text not null,
    primary key (grain, at, source)
) strict, without rowid;

-- New jobs are counted from here on.
insert into headgate_figure (grain, at, source, data)
select 'mark', 0, '', seq || ' 0 ' || seq || ' 0'
from sqlite_sequence
where name = 'headgate_job';
