-- Changes nothing, but a statement that writes takes the file's lock when it begins, whatever it finds.
update headgate_meta set value = value where false
