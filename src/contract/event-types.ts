const EVENTS = {
  token: ['created', 'updated', 'deleted', 'expired', 'property.expired', 'read'],
  'token-intent': ['created', 'converted', 'deleted', 'expired'],
  session: ['created', 'authorized'],
  reactor: ['created', 'updated', 'deleted', 'invoked', 'completed', 'failed'],
  application: ['created', 'updated', 'deleted'],
  proxy: ['created', 'updated', 'deleted', 'invoked'],
  tenant: ['updated', 'deleted'],
} as const;

/** Types that the emulator does not report by itself, with the name of their object: `event trigger` sends them. */
const TRIGGERED = {
  'network-token.created': 'network_token',
  'network-token.updated': 'network_token',
  'network-token.deleted': 'network_token',
  'account-updater.job.completed': 'job',
  'account-updater.job.failed': 'job',
  '3ds.session.authenticated': 'session',
} as const;

export type EventEntity = keyof typeof EVENTS;
type ReportedType = { [E in EventEntity]: `${E}.${(typeof EVENTS)[E][number]}` }[EventEntity];
export type EventType = ReportedType | keyof typeof TRIGGERED;

/** Types of events about what the emulator does: `token.created`. */
export const REPORTED_TYPES = Object.entries(EVENTS).flatMap(([entity, verbs]) =>
  verbs.map((verb) => `${entity}.${verb}`),
) as [ReportedType, ...ReportedType[]];

export const EVENT_TYPES = [...REPORTED_TYPES, ...Object.keys(TRIGGERED)] as [EventType, ...EventType[]];

/** Returns the name under which an event holds the object that it is about: `network_token`. */
export function eventObject(type: EventType): string {
  const [entity = ''] = type.split('.');
  return TRIGGERED[type as keyof typeof TRIGGERED] ?? entity.replace('-', '_');
}

/** The type of the event that POST /webhooks/{id}/ping sends, whatever the webhook subscribes to. */
export const PING_EVENT = 'webhook.ping';
