-- Which jobs have waited for one: it is not pruned as long as they may read what came of it.
create index headgate_edge_by_dependency on headgate_edge (dependency, job);
