-- Which jobs have waited for one: it is not pruned as long as they may read what came of it.
create index headgate_edge_by_dependency on headgate_edge (dependency, job);

-- Pruning walks along the ends. A block range index knows no order, and never forgets what a page has held: once rows stand where
-- others were pruned, every page may hold old ones and all are read.
drop index headgate_history_for_pruning;
create index headgate_history_for_pruning on headgate_history (finished_at, id);
