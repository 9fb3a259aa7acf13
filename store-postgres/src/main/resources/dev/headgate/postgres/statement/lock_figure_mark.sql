select data
from headgate_figure
where grain = 'mark' and at = 0 and source = ''
for no key update
