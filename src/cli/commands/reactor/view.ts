import { ID_WIDTH } from '../../output/table.js';
import { showTime, TIME_WIDTH } from '../../output/time.js';
import type { View } from '../../output/view.js';

const byId = (id: string): string => id;

/** Returns the view of reactors. @param nameOf returns the name of an application */
export const reactorView = (nameOf: (applicationId: string) => string): View => ({
  redaction: 'reactors',
  columns: [
    { title: 'ID', field: 'id', min: ID_WIDTH, importance: 5 },
    { title: 'NAME', field: 'name', importance: 4 },
    {
      title: 'CODE',
      field: 'code',
      show: (code) => `${String(code).length} characters`,
      align: 'right',
      min: 16,
    },
    {
      title: 'CONFIGURATION',
      field: 'configuration',
      show: (values) => Object.keys(values as object).join(' '),
      importance: 1,
    },
    {
      title: 'APPLICATION',
      field: 'application.id',
      show: (id) => (typeof id === 'string' ? nameOf(id) : ''),
      min: ID_WIDTH,
      importance: 2,
    },
    {
      title: 'MODIFIED',
      field: 'modified_at',
      show: (time, item) => showTime(time ?? createdAt(item)),
      min: TIME_WIDTH,
      importance: 3,
    },
  ],
  empty: 'No reactors.',
});

export const REACTOR_VIEW = reactorView(byId);

function createdAt(item: unknown): string | undefined {
  return (item as { created_at?: string }).created_at;
}

/** The view of a reactor's response. */
export const REACTION_VIEW: View = { redaction: 'reaction', optional: ['raw', 'tokens'] };
