import type { CollectionName, Records } from '../../store/records.js';

/** The properties of stored objects that are shown to callers that may not read token data, or are sent to others. */
const SHOWN_FIELDS: { [Name in CollectionName]?: readonly (keyof Records[Name])[] } = {
  tokens: ['metadata', 'containers', 'search_indexes', 'fingerprint_expression'],
  reactors: ['name', 'configuration'],
  proxies: ['name', 'destination_url', 'configuration'],
  webhooks: ['name', 'url', 'notify_email'],
  applications: ['name', 'rules'],
};

const NOUNS: Partial<Record<CollectionName, string>> = {
  tokens: 'token',
  reactors: 'reactor',
  proxies: 'proxy',
  webhooks: 'webhook',
  applications: 'application',
};

const PROPERTIES: Readonly<Record<string, string>> = {
  search_indexes: 'search indexes',
  fingerprint_expression: 'fingerprint expression',
  destination_url: 'destination',
  notify_email: 'e-mail address',
  url: 'URL',
};

/** Yields each property of a record that is shown, with its place: `configuration of reactor charge`. */
export function* shownTexts(
  collection: CollectionName,
  record: object,
): Generator<{ place: string; text: string }> {
  const values = record as Readonly<Record<string, unknown>>;
  const { id, name } = values;
  for (const field of SHOWN_FIELDS[collection] ?? []) {
    const value = values[field];
    const place = `${PROPERTIES[field] ?? field} of ${NOUNS[collection]} ${name ?? id}`;
    if (typeof value === 'string') yield { place, text: value };
    else if (Array.isArray(value)) yield { place, text: JSON.stringify(value) };
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value))
        yield { place, text: `${JSON.stringify(key)}: ${JSON.stringify(item)}` };
  }
}
