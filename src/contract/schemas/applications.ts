import * as z from 'zod';
import { APPLICATION_TYPES } from '../application-types.js';
import { LOG_ACTOR_TYPES, LOG_ENTITY_TYPES, LOG_OPERATIONS } from '../audit-log.js';
import { PERMISSION_NAMES, type Permission, TRANSFORMS } from '../permissions.js';
import { UNKNOWN_PERMISSION } from '../problems.js';
import {
  empty,
  expiration,
  modified,
  name,
  object,
  oneOf,
  page,
  pageQuery,
  repeatable,
  single,
  timestamp,
  uuid,
} from './common.js';
import { containerPath } from './tokens.js';

const applicationType = oneOf(APPLICATION_TYPES);
const permission = z.enum(PERMISSION_NAMES as [Permission, ...Permission[]], UNKNOWN_PERMISSION);
const permissions = z.array(permission);

/** Decided, Containers and access controls: tried by ascending priority, the first that covers and grants decides. */
const rule = object(
  'AccessRule',
  'What an application may do in a container. Of the rules that cover a token and grant a permission, the one with the lowest priority decides.',
  {
    description: z.string().max(200).optional(),
    priority: z.int().min(0),
    container: containerPath,
    transform: oneOf(TRANSFORMS),
    permissions: permissions.min(1),
  },
);

const applicationTemplate = object('ApplicationTemplate', 'What applications of a kind may do.', {
  id: uuid,
  name,
  application_type: applicationType,
  template_type: z.literal('official'),
  is_starter: z.boolean(),
  permissions: permissions.optional(),
  rules: z.array(rule).optional(),
});

/** A key of an application, without the key itself; decided, Newer generation. */
const applicationKey = object(
  'ApplicationKey',
  'A key of an application. Only the response that creates it has `key`, the key itself.',
  {
    id: uuid,
    name: name.optional(),
    /** The last four characters of the key. */
    last4: z.string().optional(),
    key: z.string().optional(),
    created_by: uuid.optional(),
    created_at: timestamp.optional(),
    expires_at: timestamp.optional(),
    /** The beginning of the hour in which a request last sent the key; absent if none has. */
    last_used_at: timestamp.optional(),
  },
);
const createdApplicationKey = applicationKey.extend({ key: z.string() }).meta({
  id: 'CreatedApplicationKey',
  description: 'A new key of an application, which no other response shows.',
});
/** An application with what is known of its keys. */
export const application = object(
  'Application',
  'An API key, and what it may do: either `permissions` or `rules`.',
  {
    id: uuid,
    tenant_id: uuid,
    name,
    type: applicationType,
    keys: z.array(applicationKey).optional(),
    permissions: permissions.optional(),
    rules: z.array(rule).optional(),
    ...modified,
  },
);

const applicationWithKey = application.extend({ key: z.string() }).meta({
  id: 'ApplicationWithKey',
  description: 'An application with its new key, which no other response shows.',
});
const callingApplication = application.extend({ key_id: uuid.optional() }).meta({
  id: 'CallingApplication',
  description: 'The application of the calling key, with the ID of the key.',
});
/** Without `key` if the request had `create_key: false`. */
const createdApplication = application.extend({ key: z.string().optional() }).meta({
  id: 'CreatedApplication',
  description:
    'A new application with its key, which no other response shows. No key if the request had `create_key: false`.',
});

const createApplicationKey = object('CreateApplicationKeyRequest', 'A key to create.', {
  name: name.optional(),
  expires_at: expiration.optional(),
});
const updateApplicationKey = object(
  'UpdateApplicationKeyRequest',
  'When a key expires, null for never; its name stays if left out.',
  { name: name.optional(), expires_at: expiration.nullable() },
);

/** An application has one of these. */
export const accessControls = { permissions: permissions.optional(), rules: z.array(rule).optional() };
export const eitherNotBoth = (value: { permissions?: unknown; rules?: unknown }) =>
  (value.permissions === undefined) !== (value.rules === undefined);
export const EITHER_NOT_BOTH = {
  path: ['permissions'],
  error: 'must be given, or rules instead, but not both',
};

export const createApplication = z
  .strictObject({ name, type: applicationType, create_key: z.boolean().optional(), ...accessControls })
  .refine(eitherNotBoth, EITHER_NOT_BOTH)
  .meta({
    id: 'CreateApplicationRequest',
    description: 'An application to create: either `permissions` or `rules`.',
  });

const updateApplication = z
  .strictObject({ name, ...accessControls })
  .refine(eitherNotBoth, EITHER_NOT_BOTH)
  .meta({
    id: 'UpdateApplicationRequest',
    description: "An application's name, and either `permissions` or `rules`.",
  });

/** An entry of the audit log; decided, Applications, permissions, audit log. */
export const logEntry = object('LogEntry', 'An entry of the audit log.', {
  id: uuid,
  tenant_id: uuid,
  actor_id: uuid.optional(),
  actor_type: z.enum(LOG_ACTOR_TYPES),
  entity_type: z.enum(LOG_ENTITY_TYPES),
  /** Absent for a list. */
  entity_id: z.string().optional(),
  operation: z.enum(LOG_OPERATIONS),
  message: z.string(),
  /** How the data of the token was shown; absent if none was. */
  transform: z.enum(TRANSFORMS).optional(),
  /** Names of the fields that an update changed, never values. */
  changed: z.array(z.string()).optional(),
  created_at: timestamp,
});

const permissionEntry = object(
  'PermissionEntry',
  'A permission, and the types of applications that may hold it.',
  {
    type: permission,
    description: z.string(),
    application_types: z.array(applicationType),
  },
);

const logEntityType = object('LogEntityType', 'A type of entity that the audit log has entries of.', {
  display_name: z.string(),
  value: z.enum(LOG_ENTITY_TYPES),
});

export const applicationSchemas = {
  'applications.create': { body: createApplication, responses: { 201: createdApplication } },
  'applications.list': {
    query: z.strictObject({
      id: repeatable(uuid).describe('Only applications with one of these ids.'),
      ...pageQuery,
    }),
    responses: { 200: page(application) },
  },
  'applications.key': { responses: { 200: callingApplication } },
  'applications.get': { responses: { 200: application } },
  'applications.update': { body: updateApplication, responses: { 200: application } },
  'applications.delete': { responses: { 204: empty } },
  'applications.regenerate': { responses: { 200: applicationWithKey } },
  'applications.keys.list': { responses: { 200: z.array(applicationKey) } },
  'applications.keys.create': {
    body: createApplicationKey.default({}),
    responses: { 201: createdApplicationKey },
  },
  'applications.keys.get': { responses: { 200: applicationKey } },
  'applications.keys.update': {
    body: updateApplicationKey,
    responses: { 200: applicationKey },
  },
  'applications.keys.delete': { responses: { 204: empty } },
  'applicationTemplates.list': { responses: { 200: z.array(applicationTemplate) } },
  'applicationTemplates.get': { responses: { 200: applicationTemplate } },
  'permissions.list': {
    query: z.strictObject({
      application_type: single(applicationType).describe(
        'Only permissions that this type of application may hold.',
      ),
    }),
    responses: { 200: z.array(permissionEntry) },
  },
  'logs.entityTypes': { responses: { 200: z.array(logEntityType) } },
  'logs.list': {
    query: z.strictObject({
      entity_type: single(oneOf(LOG_ENTITY_TYPES)).describe('Only entries about entities of this type.'),
      entity_id: single(z.string()).describe('Only entries about the entity with this id.'),
      actor_id: single(z.string()).describe('Only what this actor did.'),
      operation: single(oneOf(LOG_OPERATIONS)).describe('Only entries of this operation.'),
      transform: single(oneOf(TRANSFORMS)).describe('Only entries of tokens that were shown like this.'),
      start_date: single(z.string().meta({ format: 'date-time' })).describe(
        'Only entries from this time on.',
      ),
      end_date: single(z.string().meta({ format: 'date-time' })).describe('Only entries up to this time.'),
      ...pageQuery,
    }),
    responses: { 200: page(logEntry) },
  },
};
