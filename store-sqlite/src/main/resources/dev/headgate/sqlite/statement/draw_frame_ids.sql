update headgate_meta
set value = value + :count
where key = 'frame_id'
returning value
