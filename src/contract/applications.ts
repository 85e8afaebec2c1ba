import { defineOperation } from './operation-row.js';
import { resourceOperations } from './resource-operations.js';
import { application } from './resources.js';

const applications = resourceOperations(application);

const KEY_PATH = '/applications/{id}/keys/{key_id}';

/** Applications, permissions and the audit log: extensions of the specification. */
export const applicationOperations = {
  ...applications,
  'applications.create': {
    ...applications['applications.create'],
    summary: 'Create an application; the response alone shows its key',
    holdsSecrets: true,
  },
  'applications.update': {
    ...applications['applications.update'],
    method: 'PUT',
    summary: 'Replace the name and the permissions or rules of an application',
    success: [200],
    body: 'json',
  },
  'applications.delete': {
    ...applications['applications.delete'],
    summary: 'Delete an application; its key stops working',
  },
  'applications.key': defineOperation('GET', '/applications/key', null, {
    summary: 'Get the application of the calling key',
  }),
  'applications.regenerate': defineOperation('POST', '/applications/{id}/regenerate', 'application:update', {
    holdsSecrets: true,
    summary: 'Give an application a new key; all old ones stop working',
    problems: ['switchedOff'],
  }),
  'applications.keys.list': defineOperation('GET', '/applications/{id}/keys', 'application:read', {
    summary: 'List the keys of an application, without the keys themselves',
    returns: 'list',
  }),
  'applications.keys.create': defineOperation('POST', '/applications/{id}/keys', 'application:update', {
    summary: 'Give an application another key, valid in addition to the others; only the response shows it',
    success: [201],
    body: 'json',
    optionalBody: true,
    holdsSecrets: true,
  }),
  'applications.keys.get': defineOperation('GET', KEY_PATH, 'application:read', {
    summary: 'Get a key of an application, without the key itself',
  }),
  'applications.keys.update': defineOperation('PUT', KEY_PATH, 'application:update', {
    summary: 'Set when a key of an application expires, and its name',
    body: 'json',
  }),
  'applications.keys.delete': defineOperation('DELETE', KEY_PATH, 'application:update', {
    summary: 'Delete a key of an application; it stops working',
  }),
  'applicationTemplates.list': defineOperation('GET', '/application-templates', null, {
    summary: 'List templates of applications',
    returns: 'list',
  }),
  'applicationTemplates.get': defineOperation('GET', '/application-templates/{template_id}', null, {
    summary: 'Get a template of applications',
  }),
  'permissions.list': defineOperation('GET', '/permissions', null, {
    summary: 'List the permissions and the application types that may hold them',
    returns: 'list',
  }),
  'logs.entityTypes': defineOperation('GET', '/logs/entity-types', 'log:read', {
    summary: 'List the types of entities that the audit log has entries of',
    returns: 'list',
  }),
  'logs.list': defineOperation('GET', '/logs', 'log:read', {
    summary: 'List the audit log',
    returns: 'page',
    responseHeaders: {
      logCompleteFrom:
        'The time from which on the log has every entry. Present if the page is about an earlier time too, whose entries may have been dropped.',
    },
  }),
} as const;
