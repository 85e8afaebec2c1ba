import { ID_WIDTH } from '../../output/table.js';
import type { View } from '../../output/view.js';

export const WEBHOOK_VIEW: View = {
  redaction: 'plain',
  columns: [
    { title: 'ID', field: 'id', min: ID_WIDTH, importance: 3 },
    { title: 'NAME', field: 'name', importance: 2 },
    { title: 'URL', field: 'url', importance: 1 },
    { title: 'EVENTS', field: 'events', show: (events) => (events as string[]).join(' ') },
  ],
  empty: 'No webhooks.',
};
