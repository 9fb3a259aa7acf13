-- Jobs that are set aside for one reason, page by page.
create index headgate_job_parked on headgate_job (park_reason, id) where state = 'PARKED';
