update headgate_job as j
set capped_queue = m.capped_queue,
    capped_gate = m.capped_gate
from unnest(:lane::text[], :capped_queue::bigint[], :capped_gate::text[]) as m (lane, capped_queue, capped_gate)
where j.lane = m.lane and j.frame is null
