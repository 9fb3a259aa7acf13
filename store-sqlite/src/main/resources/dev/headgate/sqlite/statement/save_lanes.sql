update headgate_lane
set state = r.value ->> 'state',
    rank = r.value ->> 'rank',
    cost = r.value ->> 'cost',
    waiting_at = r.value ->> 'waiting_at',
    since = r.value ->> 'since',
    passes = r.value ->> 'passes',
    share = r.value ->> 'share'
from jsonb_each(:rows) r
where headgate_lane.id = r.value ->> 'lane'
