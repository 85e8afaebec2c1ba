import { ID_WIDTH } from '../../../output/table.js';
import { showTime, TIME_WIDTH } from '../../../output/time.js';
import type { View } from '../../../output/view.js';

export const KEY_VIEW = {
  redaction: 'plain',
  columns: [
    { title: 'ID', field: 'id', min: ID_WIDTH, importance: 2 },
    { title: 'NAME', field: 'name' },
    { title: 'ENDS IN', field: 'last4', importance: 3 },
    { title: 'CREATED', field: 'created_at', show: showTime, min: TIME_WIDTH, importance: 1 },
    { title: 'LAST USED', field: 'last_used_at', show: showTime, min: TIME_WIDTH },
    { title: 'EXPIRES', field: 'expires_at', show: showTime, min: TIME_WIDTH },
  ],
  empty: 'No keys.',
} satisfies View;
