-- Lists of the runs of one workflow have those that other runs started. Branches and items are not in it.
create index headgate_frame_child_runs on headgate_frame (workflow, id) where parent is not null and run = id;
