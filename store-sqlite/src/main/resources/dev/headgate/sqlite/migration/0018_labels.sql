-- Labels and headers, as JSON; null where there are none. Only what has labels is in the indexes.
alter table headgate_job add column labels text;
alter table headgate_job add column headers text;
alter table headgate_history add column labels text;
alter table headgate_history add column headers text;
alter table headgate_frame add column labels text;
alter table headgate_frame add column headers text;
alter table headgate_schedule add column labels text;
alter table headgate_schedule add column headers text;
create index headgate_job_labelled on headgate_job (id) where labels is not null;
create index headgate_history_labelled on headgate_history (id) where labels is not null;
create index headgate_frame_labelled on headgate_frame (id) where labels is not null and run = id;
