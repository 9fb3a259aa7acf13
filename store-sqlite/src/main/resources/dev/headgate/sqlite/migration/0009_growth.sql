-- From here on the rows of gates may go: those that say nothing are pruned. Programs that take them for eternal are shut out.

-- Changes of policies up to this version may be gone: no older version can be restored.
insert into headgate_meta (key, value) values ('policies_pruned', 0);
