import { ID_WIDTH } from '../../output/table.js';
import { showTime, TIME_WIDTH } from '../../output/time.js';
import type { View } from '../../output/view.js';

export const TOKEN_VIEW: View = {
  redaction: 'tokens',
  columns: [
    { title: 'ID', field: 'id', min: ID_WIDTH, importance: 5 },
    { title: 'TYPE', field: 'type', importance: 4 },
    { title: 'DATA', field: 'data', importance: 3 },
    { title: 'CONTAINERS', field: 'containers', show: (paths) => (paths as string[]).join(' ') },
    { title: 'METADATA', field: 'metadata', show: showMetadata, importance: 1 },
    { title: 'CREATED', field: 'created_at', show: showTime, min: TIME_WIDTH, importance: 2 },
  ],
  empty: 'No tokens.',
};

function showMetadata(metadata: unknown): string {
  return Object.entries((metadata ?? {}) as Record<string, string>)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}
