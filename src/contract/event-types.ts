const EVENTS = {
  token: ['created', 'updated', 'deleted', 'expired', 'property.expired', 'read'],
  'token-intent': ['created', 'converted', 'deleted', 'expired'],
  session: ['created', 'authorized'],
  reactor: ['created', 'updated', 'deleted', 'invoked', 'completed', 'failed'],
  application: ['created', 'updated', 'deleted', 'key.created', 'key.deleted'],
  proxy: ['created', 'updated', 'deleted', 'invoked'],
  tenant: ['updated', 'deleted'],
} as const;

/** Types that the emulator does not report by itself: `event trigger` sends them. */
const TRIGGERED = {
  'network-token': ['created', 'updated', 'deleted'],
  'account-updater.job': ['created', 'completed', 'failed'],
  'google-pay': ['created', 'retrieved', 'deleted'],
  '3ds.session': ['created', 'method-completed', 'authenticated', 'challenge-completed'],
  'tenant.member': ['created', 'deleted'],
  'tenant.invitation': ['created', 'accepted', 'resent', 'deleted'],
} as const;

type Verbs = Readonly<Record<string, readonly string[]>>;
type TypeOf<T extends Verbs> = { [E in keyof T & string]: `${E}.${T[E][number]}` }[keyof T & string];

export type EventEntity = keyof typeof EVENTS;
type ReportedType = TypeOf<typeof EVENTS>;
export type EventType = ReportedType | TypeOf<typeof TRIGGERED>;

const typesOf = (entities: Verbs): string[] =>
  Object.entries(entities).flatMap(([entity, verbs]) => verbs.map((verb) => `${entity}.${verb}`));

/** Types of events about what the emulator does: `token.created`. */
export const REPORTED_TYPES = typesOf(EVENTS) as [ReportedType, ...ReportedType[]];

export const EVENT_TYPES = [...REPORTED_TYPES, ...typesOf(TRIGGERED)] as [EventType, ...EventType[]];

/** Returns the name under which an event holds the object that it is about: `network_token`. */
export function eventObject(type: EventType): string {
  if (type.startsWith('application.key.')) return 'application_key';
  const known = Object.keys(TRIGGERED).find((entity) => type.startsWith(`${entity}.`));
  const [entity = ''] = (known?.split('.').at(-1) ?? type).split('.');
  return entity.replace('-', '_');
}

/** The type of the event that POST /webhooks/{id}/ping sends, whatever the webhook subscribes to. */
export const PING_EVENT = 'webhook.ping';
