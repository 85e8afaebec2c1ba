import type { AccessRule } from '../../../contract/schemas/index.js';
import { ID_WIDTH } from '../../output/table.js';
import { showTime, TIME_WIDTH } from '../../output/time.js';
import type { View } from '../../output/view.js';

export const APPLICATION_VIEW: View = {
  redaction: 'plain',
  columns: [
    { title: 'ID', field: 'id', min: ID_WIDTH, importance: 1 },
    { title: 'NAME', field: 'name', importance: 4 },
    { title: 'TYPE', field: 'type', importance: 2 },
    { title: 'PERMISSIONS', field: 'permissions', show: showAccess, min: 40, importance: 3 },
    { title: 'CREATED', field: 'created_at', show: showTime, min: TIME_WIDTH },
  ],
  empty: 'No applications.',
};

function showAccess(permissions: unknown, item: unknown): string {
  if (Array.isArray(permissions)) return groupByNoun(permissions);
  const { rules = [] } = item as { rules?: AccessRule[] };
  return rules
    .map(
      ({ container, transform, permissions: granted }) =>
        `${container} ${transform}: ${groupByNoun(granted)}`,
    )
    .join(', ');
}

/** Shortens permissions for a cell: `token:read,search reactor:create`. */
function groupByNoun(permissions: readonly string[]): string {
  const verbs = new Map<string, string[]>();
  for (const permission of permissions) {
    const [noun = '', verb = ''] = permission.split(':');
    verbs.set(noun, [...(verbs.get(noun) ?? []), verb]);
  }
  return [...verbs].map(([noun, some]) => `${noun}:${some.join(',')}`).join(' ');
}
