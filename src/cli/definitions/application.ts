import { LOG_ENTITY_TYPES } from '../../contract/log-entity-types.js';
import { APPLICATION_TYPES, PERMISSION_NAMES, TRANSFORMS } from '../../contract/permissions.js';
import { TOKEN_TYPE_NAMES } from '../../contract/token-types.js';
import { type CommandRow, defineCommand } from '../command.js';
import type { Flags } from '../flags/flag.js';
import { PAGE_FLAGS } from '../flags/globals.js';
import { SUMMARIES } from './summaries.js';

const ACCESS_FLAGS = {
  permission: {
    value: 'NAME',
    list: true,
    suggest: PERMISSION_NAMES,
    description: 'a permission on all tokens; repeatable or comma-separated',
  },
  rules: {
    value: 'JSON|@FILE|-',
    description: 'access rules, in place of permissions: [{ priority, container, transform, permissions }]',
  },
} as const satisfies Flags;

const APPLICATION_ARGUMENT = { suggest: 'application', description: 'application id or exact name' } as const;

export const commands: readonly CommandRow[] = [
  defineCommand({
    name: 'application create',
    summary: 'Create an application; its key is shown only once',
    operations: ['applications.create'],
    flags: {
      name: { value: 'NAME', description: 'name of the application' },
      type: {
        value: 'TYPE',
        suggest: APPLICATION_TYPES,
        description: `application type: ${APPLICATION_TYPES.join(', ')}`,
      },
      ...ACCESS_FLAGS,
    },
    examples: [
      {
        does: 'An application that can read masked tokens.',
        command:
          'tokenctl application create --name support --type private --permission token:read,token:search',
      },
      {
        does: 'An application that sees the full data of cards and nothing else.',
        command: `tokenctl application create --name payments --type private --rules '[{"priority":1,"container":"/pci/","transform":"reveal","permissions":["token:read","token:use"]}]'`,
      },
    ],
    load: () => import('../commands/application/create.js'),
  }),
  defineCommand({
    name: 'application list',
    summary: 'List applications',
    operations: ['applications.list'],
    flags: {
      id: {
        value: 'ID',
        list: true,
        suggest: 'application',
        description: 'only applications with these ids',
      },
      ...PAGE_FLAGS,
    },
    examples: [{ does: 'Names and types.', command: 'tokenctl application list --json name,type' }],
    load: () => import('../commands/application/list.js'),
  }),
  defineCommand({
    name: 'application who-can',
    summary: 'List the applications that hold a permission, and how they see the data',
    details:
      'Of the access rules of an application, the first one by priority that grants the permission and covers a container of the token decides. `tokenctl application key list` lists the keys of an application.',
    operations: ['applications.list'],
    arguments: { permission: { suggest: 'permission', description: 'a permission, such as token:read' } },
    flags: {
      tokenType: {
        value: 'TYPE',
        suggest: TOKEN_TYPE_NAMES,
        description: 'on tokens of this type, in its default containers',
      },
      container: { value: 'PATH', list: true, description: 'on tokens in these containers' },
    },
    examples: [
      {
        does: 'Which keys can read cards, and how is their data shown?',
        command: 'tokenctl application who-can token:read --token-type card',
      },
    ],
    load: () => import('../commands/application/who-can.js'),
  }),
  defineCommand({
    name: 'application get',
    summary: 'Get applications by id',
    operations: ['applications.get'],
    arguments: { application: { ...APPLICATION_ARGUMENT, variadic: true } },
    examples: [
      {
        does: 'The permissions of an application.',
        command: 'tokenctl application get "$APPLICATION_ID" --json name,permissions,rules',
      },
    ],
    load: () => import('../commands/application/get.js'),
  }),
  defineCommand({
    name: 'application update',
    summary: 'Update the name, or the permissions or rules, of an application',
    operations: ['applications.update', 'applications.get'],
    arguments: { application: APPLICATION_ARGUMENT },
    flags: {
      name: { value: 'NAME', description: 'new name; unchanged by default' },
      ...ACCESS_FLAGS,
    },
    examples: [
      {
        does: 'Replace all permissions.',
        command: 'tokenctl application update "$APPLICATION_ID" --permission token:read',
      },
    ],
    load: () => import('../commands/application/update.js'),
  }),
  defineCommand({
    name: 'application regenerate-key',
    summary: 'Generate a new key for an application; all old keys stop working',
    operations: ['applications.regenerate'],
    arguments: { application: APPLICATION_ARGUMENT },
    examples: [
      {
        does: 'Print only the key.',
        command: 'tokenctl application regenerate-key "$APPLICATION_ID" --jq .key',
      },
    ],
    load: () => import('../commands/application/regenerate-key.js'),
  }),
  defineCommand({
    name: 'application delete',
    summary: 'Delete applications; their keys stop working',
    operations: ['applications.delete'],
    arguments: { application: { ...APPLICATION_ARGUMENT, variadic: true } },
    examples: [
      {
        does: 'Delete without confirmation.',
        command: 'tokenctl application delete "$APPLICATION_ID" --yes',
      },
    ],
    load: () => import('../commands/application/delete.js'),
  }),
  defineCommand({
    name: 'application key list',
    summary: 'List the keys of an application, without the keys themselves',
    operations: ['applications.keys.list'],
    arguments: { application: APPLICATION_ARGUMENT },
    examples: [{ does: 'See which keys still work.', command: 'tokenctl application key list support' }],
    load: () => import('../commands/application/key/list.js'),
  }),
  defineCommand({
    name: 'application key create',
    summary: 'Give an application another key; it is shown only once',
    operations: ['applications.keys.create'],
    arguments: { application: APPLICATION_ARGUMENT },
    flags: {
      expires: {
        value: 'TIME',
        description: 'when the key stops working: ISO 8601, or a duration such as 30d',
      },
    },
    examples: [
      {
        does: 'A key for a contractor, valid for 30 days.',
        command: 'tokenctl application key create support --expires 30d',
      },
    ],
    load: () => import('../commands/application/key/create.js'),
  }),
  defineCommand({
    name: 'application key rotate',
    summary: 'Replace the key of an application without an outage',
    details:
      'Creates a new key; the old ones stay valid until they are deleted. With --overlap, keys that were replaced longer ago than that are deleted, so that a scheduled rotation cleans up after itself; --overlap 0 deletes all old keys at once.',
    operations: ['applications.keys.list', 'applications.keys.create', 'applications.keys.delete'],
    arguments: { application: APPLICATION_ARGUMENT },
    flags: {
      overlap: {
        value: 'DURATION',
        description: 'how long a replaced key stays valid; until it is deleted by default',
      },
    },
    examples: [
      {
        does: 'Run every week by a scheduler: the key of the week before stays valid for a day at least.',
        command: 'tokenctl application key rotate support --overlap 24h',
      },
    ],
    load: () => import('../commands/application/key/rotate.js'),
  }),
  defineCommand({
    name: 'application key delete',
    summary: 'Delete a key of an application; it stops working',
    operations: ['applications.keys.delete', 'applications.keys.get'],
    arguments: {
      application: APPLICATION_ARGUMENT,
      keyId: { description: 'key id, see: tokenctl application key list' },
    },
    examples: [
      {
        does: 'Delete without confirmation.',
        command: 'tokenctl application key delete support "$KEY_ID" --yes',
      },
    ],
    load: () => import('../commands/application/key/delete.js'),
  }),
  defineCommand({
    name: 'permission list',
    summary: 'List the permissions and the application types that can have them',
    operations: ['permissions.list'],
    flags: {
      type: {
        value: 'TYPE',
        suggest: APPLICATION_TYPES,
        description: 'only permissions that applications of this type can have',
      },
    },
    examples: [
      {
        does: 'What a management application can do, as a table.',
        command: 'tokenctl permission list --type management --output table',
      },
    ],
    load: () => import('../commands/permission/list.js'),
  }),
  defineCommand({
    name: 'log entity-types',
    summary: 'List the types of entities that the audit log has entries of',
    operations: ['logs.entityTypes'],
    examples: [{ does: 'As text.', command: "tokenctl log entity-types --jq '.data[].value'" }],
    load: () => import('../commands/log/entity-types.js'),
  }),
  defineCommand({
    name: 'log list',
    summary: 'List the entries of the audit log',
    operations: ['logs.list'],
    flags: {
      entityType: {
        value: 'TYPE',
        suggest: LOG_ENTITY_TYPES,
        description: 'only entries about this entity type',
      },
      entityId: { value: 'ID', description: 'only entries about this entity' },
      actor: {
        value: 'ID|NAME',
        suggest: 'application',
        description: 'only what this application or reactor did',
      },
      operation: {
        value: 'NAME',
        suggest: ['create', 'read', 'update', 'delete', 'use', 'list'],
        description: 'only entries of this operation',
      },
      transform: {
        value: 'NAME',
        suggest: TRANSFORMS,
        description: 'only entries that showed token data in this way: reveal, mask or redact',
      },
      since: {
        value: 'TIME',
        description: 'only entries from this time on: ISO 8601, today, yesterday, or 24h for a day ago',
      },
      until: { value: 'TIME', description: 'only entries up to this time, in the same formats' },
      follow: { description: 'continue with new entries as they are written, until Ctrl-C' },
      ...PAGE_FLAGS,
    },
    examples: [
      {
        does: 'Show who revealed token data yesterday. Days begin at midnight UTC.',
        command: 'tokenctl log list --transform reveal --since yesterday --until today',
      },
      {
        does: 'Show who did what with a token.',
        command: 'tokenctl log list --entity-type token --entity-id customer-1042-card',
      },
      {
        does: 'Show who read tokens within a day, and how their data was shown.',
        command: 'tokenctl log list --entity-type token --operation read --since 24h',
      },
    ],
    load: () => import('../commands/log/list.js'),
  }),
  defineCommand({
    name: 'api',
    summary: SUMMARIES.api,
    details:
      'The method and path determine the operation and therefore which key is used. Values that may be token data are hidden unless --reveal is given.',
    arguments: {
      method: {
        suggest: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        description: 'GET, POST, PUT, PATCH or DELETE',
      },
      path: { description: 'path and query, relative to the base URL' },
    },
    flags: {
      data: { value: 'JSON|@FILE|-', description: 'request body' },
      header: { value: 'NAME: VALUE', list: true, description: 'request header' },
    },
    examples: [
      { does: 'List tokens with a filter.', command: `tokenctl api GET '/tokens?type=card&size=5'` },
      {
        does: 'Send a merge patch.',
        command: `tokenctl api PATCH /tokens/customer-1042-card --data '{"metadata":{"seen":"yes"}}'`,
      },
    ],
    load: () => import('../commands/api.js'),
  }),
];
