import { defineOperation } from './operation-row.js';
import { resourceOperations } from './resource-operations.js';
import { webhook } from './resources.js';

const webhooks = resourceOperations(webhook);

/** Webhooks: extensions of the specification; decided, Newer generation. */
export const webhookOperations = {
  ...webhooks,
  'webhooks.delete': {
    ...webhooks['webhooks.delete'],
    summary: 'Delete a webhook and its pending deliveries',
  },
  'webhooks.eventTypes': defineOperation('GET', '/webhooks/event-types', 'webhook:read', {
    summary: 'List the types of events that a webhook can subscribe to',
    returns: 'list',
  }),
  'webhooks.signingKey': defineOperation('GET', '/webhooks/signing-key', 'webhook:read', {
    summary: 'Get the public key that verifies signatures of version 2',
  }),
  'webhooks.ping': defineOperation('POST', '/webhooks/{id}/ping', 'webhook:update', {
    summary: 'Send a test event to a webhook',
    success: [202],
  }),
  ping: defineOperation('GET', '/ping', null, {
    summary: 'Check that the service answers and the key is valid',
  }),
} as const;
