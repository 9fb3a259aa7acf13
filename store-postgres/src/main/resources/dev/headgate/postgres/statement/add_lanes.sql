-- A lane comes into being under the locks of all its gates, so no other transaction can hold its row.
insert into headgate_lane (id, queue, gates, state, rank, cost, waiting_at, since, passes, share)
select lane, queue, gates, state, rank, cost, waiting_at, since, passes, share
from unnest(
    :lane::text[], :queue::text[], :gates::text[], :state::text[], :rank::bigint[], :cost::text[],
    :waiting_at::text[], :since::bigint[], :passes::bigint[], :share::text[]
) as a (lane, queue, gates, state, rank, cost, waiting_at, since, passes, share)
on conflict (id) do nothing
