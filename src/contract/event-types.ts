/** What can be reported: changes, whose audit entries are committed with them. Reads and uses are recorded in the audit log only. */
type Change = 'created' | 'updated' | 'deleted' | 'expired';

/** What webhooks report, by entity. */
const EVENTS = {
  token: ['created', 'updated', 'deleted', 'expired'],
  reactor: ['created', 'updated', 'deleted'],
  application: ['created', 'updated', 'deleted'],
  proxy: ['created', 'updated', 'deleted'],
  tenant: ['updated', 'deleted'],
} as const satisfies Record<string, readonly Change[]>;

export type EventEntity = keyof typeof EVENTS;
export type EventType = { [E in EventEntity]: `${E}.${(typeof EVENTS)[E][number]}` }[EventEntity];

/** Every type of event that a webhook can subscribe to: `token.created`. */
export const EVENT_TYPES = Object.entries(EVENTS).flatMap(([entity, verbs]) =>
  verbs.map((verb) => `${entity}.${verb}`),
) as [EventType, ...EventType[]];

/** The type of the event that POST /webhooks/{id}/ping sends, whatever the webhook subscribes to. */
export const PING_EVENT = 'webhook.ping';
