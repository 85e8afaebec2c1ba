import { ID_WIDTH } from '../../output/table.js';
import type { View } from '../../output/view.js';

/** Columns of the key of a proxy, which cannot be used if it is cut. */
const KEY_WIDTH = 50;

/** Configuration values are hidden, as those of reactors are. */
export const PROXY_VIEW: View = {
  redaction: 'reactors',
  columns: [
    { title: 'ID', field: 'id', min: ID_WIDTH, importance: 4 },
    { title: 'NAME', field: 'name', importance: 3 },
    { title: 'DESTINATION', field: 'destination_url', importance: 2 },
    { title: 'KEY', field: 'key', min: KEY_WIDTH },
    { title: 'AUTH', field: 'require_auth', importance: 1 },
  ],
  empty: 'No proxies.',
};
