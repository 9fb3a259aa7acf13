-- The id of a lane without gates is the name of its queue, so that the index of lanes tells which queues have such jobs.
update headgate_job
set lane = 'q:' || queue
where gates = '';

-- What is due first in any queue, for workers that serve queues by a pattern.
create index headgate_job_by_time on headgate_job (run_at, queue) where state = 'SCHEDULED';
