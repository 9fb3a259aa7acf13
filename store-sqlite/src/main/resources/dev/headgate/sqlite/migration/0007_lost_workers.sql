-- How many workers a job of this worker may lose before the job fails. Workers of an older version do not say.
alter table headgate_worker add column lost_max integer not null default 3;
