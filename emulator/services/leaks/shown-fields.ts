import { fieldsOfKind, RESOURCES, TEXT_KINDS } from '../../../src/contract/resources.js';
import type { CollectionName } from '../../store/records.js';

interface Shown {
  noun: string;
  /** The properties that are shown to callers that may not read token data, or are sent to others. */
  fields: readonly string[];
}

const SHOWN: { readonly [Name in CollectionName]?: Shown } = {
  tokens: { noun: 'token', fields: ['metadata', 'containers', 'search_indexes', 'fingerprint_expression'] },
  ...Object.fromEntries(
    Object.values(RESOURCES).map((row) => [
      row.collection,
      { noun: row.noun, fields: fieldsOfKind(row, TEXT_KINDS) },
    ]),
  ),
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
  const { noun = '', fields = [] } = SHOWN[collection] ?? {};
  for (const field of fields) {
    const value = values[field];
    const place = `${PROPERTIES[field] ?? field} of ${noun} ${name ?? id}`;
    if (typeof value === 'string') yield { place, text: value };
    else if (Array.isArray(value)) yield { place, text: JSON.stringify(value) };
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value))
        yield { place, text: `${JSON.stringify(key)}: ${JSON.stringify(item)}` };
  }
}
