update headgate_lane as l
set state = s.state,
    rank = s.rank,
    cost = s.cost,
    waiting_at = s.waiting_at,
    since = s.since,
    passes = s.passes,
    share = s.share
from unnest(
    :lane::text[], :state::text[], :rank::bigint[], :cost::text[],
    :waiting_at::text[], :since::bigint[], :passes::bigint[], :share::text[]
) as s (lane, state, rank, cost, waiting_at, since, passes, share)
where l.id = s.lane
