type Json = unknown;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;

/** Properties whose values may differ from one service to the next without meaning anything. */
const ANY_VALUE = new Set([
  'fingerprint',
  'created_by',
  'modified_by',
  'detail',
  'instance',
  'count',
  'included_monthly_active_tokens',
  'monthly_active_tokens',
]);

function text(value: string): string {
  return value.replace(UUID, '<uuid>').replace(TIME, '<time>');
}

/** An answer without what differs between any two runs: ids, times, counters, and the words of messages. */
export function normalise(value: Json, name = ''): Json {
  if (ANY_VALUE.has(name)) return `<${name}>`;
  // Which types a tenant holds is its own affair.
  if (name === 'metrics_by_type') return '<metrics>';
  if (Array.isArray(value)) return value.map((item) => normalise(item));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, part]) => [key, normalise(part, key)]),
    );
  return typeof value === 'string' ? text(value) : value;
}
