import type { View } from '../../output/output.js';

export const TOKEN_VIEW: View = {
  redaction: 'tokens',
  columns: [
    { title: 'ID', field: 'id' },
    { title: 'TYPE', field: 'type' },
    { title: 'DATA', field: 'data' },
    { title: 'CONTAINERS', field: 'containers', show: (paths) => (paths as string[]).join(' ') },
    { title: 'METADATA', field: 'metadata', show: showMetadata },
    { title: 'CREATED', field: 'created_at' },
  ],
  empty: 'No tokens.',
};

function showMetadata(metadata: unknown): string {
  return Object.entries((metadata ?? {}) as Record<string, string>)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}
