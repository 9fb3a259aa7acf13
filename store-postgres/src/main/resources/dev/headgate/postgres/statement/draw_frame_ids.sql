select nextval('headgate_frame_id')
from generate_series(1, :count)
