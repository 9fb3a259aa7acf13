-- For lists of jobs that neither wait for a worker nor run, and for counting them. Few jobs are ever in it.
create index headgate_job_aside on headgate_job (state, id) include (queue, type) where state in ('AWAITING', 'SCHEDULED', 'PARKED');
-- The same for jobs that did not succeed.
create index headgate_history_unhappy on headgate_history (state, id) include (queue, type) where state in ('FAILED', 'CANCELLED');
