import * as z from 'zod';
import { OPERATION_IDS } from '../operations.js';
import { PERMISSION_NAMES, TRANSFORMS } from '../permissions.js';
import { application, logEntry } from '../schemas/applications.js';
import { timestamp } from '../schemas/common.js';
import { requestEvent } from './events.js';
import { RULE_OUTCOMES, type RuleOutcome } from './vocabulary.js';

/** What the access controls of an application were asked. */
const ACCESS_SCOPES = [
  /** Whether the permission of an operation is held on any container. */
  'operation',
  /** Whether the permission is granted on one of the containers of a token. */
  'any_container',
  /** Whether it is granted on each container of a token. */
  'every_container',
  /** How much of a token the response shows; nothing is refused. */
  'response',
  /** Which tokens a list shows. */
  'list',
  /** Tokens that match the filters of a list and are left out of it, as the store is now. */
  'left_out',
] as const;

const rule = application.shape.rules
  .unwrap()
  .element.extend({ outcome: z.enum(Object.keys(RULE_OUTCOMES) as RuleOutcome[]) });

/** One question that a call put to the access controls of its application, and what was decided. */
const accessDecision = z.strictObject({
  scope: z.enum(ACCESS_SCOPES),
  operation: z.enum(OPERATION_IDS as [string, ...string[]]).optional(),
  permission: z.enum(PERMISSION_NAMES),
  /** The containers of the tokens; absent for `operation` and `list`. */
  containers: z.array(z.string()).optional(),
  /** The tokens with these containers; absent for tokens that did not exist yet. Not all of a long list. */
  token_ids: z.array(z.string()).optional(),
  granted: z.boolean(),
  /** Containers that no rule grants the permission on. */
  missing_on: z.array(z.string()).optional(),
  transform: z.enum(TRANSFORMS).optional(),
  /** The rules by ascending priority, as they were tried; absent for an application with permissions. Not all of many. */
  rules: z.array(rule).optional(),
  left_out: z.int().min(0).optional(),
});

const accessCall = z.strictObject({
  application: application.pick({ id: true, name: true, type: true }),
  actor: z.strictObject({ id: z.string(), type: logEntry.shape.actor_type }),
  time: timestamp,
  permissions: application.shape.permissions,
  decisions: z.array(accessDecision),
  /** Decisions were left out because they were too many. */
  cut: z.boolean(),
});

/** Why the requests under a trace id were refused, or what they were shown. */
export const accessExplanation = z.strictObject({
  trace_id: z.string(),
  /** Those that are still in the log; the `error` of a 401 says what was wrong with the key, and never holds it. */
  requests: z.array(requestEvent),
  /** In the order in which they began. */
  calls: z.array(accessCall),
});

export type AccessScope = (typeof ACCESS_SCOPES)[number];
export type AccessDecision = z.output<typeof accessDecision>;
export type AccessCall = z.output<typeof accessCall>;
export type AccessExplanation = z.output<typeof accessExplanation>;
