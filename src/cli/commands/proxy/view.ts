import { ID_WIDTH } from '../../output/table.js';
import type { View } from '../../output/view.js';

/** Configuration values are hidden, as those of reactors are. A table has no column for keys; `get` and JSON have them. */
export const PROXY_VIEW: View = {
  redaction: 'reactors',
  columns: [
    { title: 'ID', field: 'id', min: ID_WIDTH, importance: 4 },
    { title: 'NAME', field: 'name', importance: 3 },
    { title: 'DESTINATION', field: 'destination_url', importance: 2 },
    { title: 'AUTH', field: 'require_auth', importance: 1 },
  ],
  empty: 'No proxies.',
};
