import type { View } from '../../output/output.js';

export const APPLICATION_VIEW: View = {
  redaction: 'plain',
  columns: [
    { title: 'ID', field: 'id' },
    { title: 'NAME', field: 'name' },
    { title: 'TYPE', field: 'type' },
    { title: 'PERMISSIONS', field: 'permissions', show: showAccess },
    { title: 'CREATED', field: 'created_at' },
  ],
  empty: 'No applications.',
};

function showAccess(permissions: unknown, item: unknown): string {
  if (Array.isArray(permissions)) return permissions.join(' ');
  const { rules = [] } = item as { rules?: { container: string; transform: string }[] };
  return rules.map(({ container, transform }) => `${container} ${transform}`).join(', ');
}
