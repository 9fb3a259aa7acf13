select created_at
from headgate_request_key
order by created_at desc
limit 1 offset :younger
