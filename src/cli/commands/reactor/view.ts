import type { View } from '../../output/output.js';

export const REACTOR_VIEW: View = {
  redaction: 'reactors',
  columns: [
    { title: 'ID', field: 'id' },
    { title: 'NAME', field: 'name' },
    { title: 'CODE', field: 'code', show: (code) => `${String(code).length} characters`, align: 'right' },
    {
      title: 'CONFIGURATION',
      field: 'configuration',
      show: (values) => Object.keys(values as object).join(' '),
    },
    { title: 'APPLICATION', field: 'application.id' },
    { title: 'MODIFIED', field: 'modified_at', show: (time, item) => String(time ?? createdAt(item)) },
  ],
  empty: 'No reactors.',
};

function createdAt(item: unknown): string {
  return (item as { created_at?: string }).created_at ?? '';
}
