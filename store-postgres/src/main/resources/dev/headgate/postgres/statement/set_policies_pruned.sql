update headgate_meta
set value = :version
where key = 'policies_pruned'
