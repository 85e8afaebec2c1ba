import { defineOperation } from './operation-row.js';

/** Sessions: keys for a page, which do what a server grants them; decided, The family as it is today. */
export const sessionOperations = {
  'sessions.create': defineOperation('POST', '/sessions', 'public', {
    summary: 'Open a session, whose key may do nothing until it is authorized',
    success: [201],
    holdsSecrets: true,
  }),
  'sessions.authorize': defineOperation('POST', '/sessions/authorize', 'private', {
    summary: 'Grant a session permissions or rules, of those that the calling key has',
    success: [204],
    body: 'json',
    problems: ['notFound'],
  }),
};
