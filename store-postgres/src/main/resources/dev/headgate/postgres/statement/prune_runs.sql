with old as (
    select id
    from headgate_frame
    where parent is null and ended_at < :before
    order by ended_at
    limit :limit
    for update skip locked
),
gone as (
    delete from headgate_frame
    where id in (select id from old) or (root in (select id from old) and parent is not null)
    returning id
),
events as (
    delete from headgate_event
    where frame in (select id from gone)
),
artifacts as (
    delete from headgate_artifact
    where run in (select id from gone)
),
signals as (
    delete from headgate_signal
    where run in (select id from gone)
),
keys as (
    delete from headgate_signal_key
    where run in (select id from gone)
)
select id
from old
