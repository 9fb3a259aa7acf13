-- Names are opaque: compare their bytes. It is quicker than any language's rules, and an index does not break when a new
-- version of the system's libraries orders words in another way.
alter table headgate_job
    alter column queue type text collate "C",
    alter column lane type text collate "C",
    alter column type type text collate "C",
    alter column dedup_key type text collate "C",
    alter column park_reason type text collate "C",
    alter column capped_gate type text collate "C";
alter table headgate_arrival
    alter column queue type text collate "C",
    alter column lane type text collate "C";
alter table headgate_lane
    alter column id type text collate "C",
    alter column queue type text collate "C",
    alter column waiting_at type text collate "C",
    alter column share type text collate "C";
alter table headgate_share
    alter column resource type text collate "C",
    alter column key type text collate "C";
alter table headgate_gate
    alter column key type text collate "C";
alter table headgate_journal
    alter column gate type text collate "C";
alter table headgate_frame
    alter column workflow type text collate "C",
    alter column key type text collate "C",
    alter column awaits type text collate "C";
alter table headgate_schedule
    alter column name type text collate "C";
alter table headgate_schedule_run
    alter column schedule type text collate "C";

-- Jobs that are set aside for one reason, page by page.
create index headgate_job_parked on headgate_job (park_reason, id) where state = 'PARKED';

-- A block range index knows nothing of pages that were not summarised yet, and pruning would read all of these.
alter index headgate_history_for_pruning set (autosummarize = on);
alter table headgate_history set (
    autovacuum_vacuum_insert_scale_factor = 0.01,
    autovacuum_vacuum_insert_threshold = 10000
);
