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
  'webhooks.eventTypes': defineOperation({
    method: 'GET',
    path: '/webhooks/event-types',
    permission: 'webhook:read',
    summary: 'List the types of events that a webhook can subscribe to',
    returns: 'list',
  }),
  'webhooks.ping': defineOperation({
    method: 'POST',
    path: '/webhooks/{id}/ping',
    permission: 'webhook:update',
    summary: 'Send a test event to a webhook',
    success: [202],
    uuid: true,
  }),
  ping: defineOperation({
    method: 'GET',
    path: '/ping',
    permission: null,
    summary: 'Check that the service answers and the key is valid',
  }),
} as const;
