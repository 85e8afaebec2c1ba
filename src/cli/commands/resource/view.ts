import {
  type CellFormat,
  hasSecrets,
  type Resource,
  type ResourceColumn,
} from '../../../contract/resources.js';
import type { AccessRule } from '../../../contract/schemas/index.js';
import type { Column } from '../../output/table.js';
import type { View } from '../../output/view.js';

const FORMATS: Readonly<Record<CellFormat, Omit<Column, 'title' | 'field'>>> = {
  id: { format: 'id' },
  time: { format: 'time' },
  words: { format: 'words' },
  application: { format: 'id' },
  modified: {
    show: (time, item) => String(time ?? (item as { created_at?: string }).created_at ?? ''),
    format: 'time',
  },
  access: { show: showAccess },
  length: { show: (text) => `${String(text).length} characters`, align: 'right' },
  names: { show: (values) => Object.keys(values as object).join(' ') },
};

export function viewOf(resource: Resource, nameOf = (applicationId: string): string => applicationId): View {
  const toColumn = ({ format, ...column }: ResourceColumn): Column => ({
    ...(format && FORMATS[format]),
    ...(format === 'application' && { show: (id) => (typeof id === 'string' ? nameOf(id) : '') }),
    ...column,
  });
  return {
    redaction: hasSecrets(resource) ? 'reactors' : 'plain',
    columns: resource.columns.map(toColumn),
    empty: `No ${resource.collection}.`,
  };
}

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
