import { fieldsOfKind, RESOURCES, type Resource, TEXT_KINDS } from '../../../src/contract/resources.js';
import type { CollectionName } from '../../store/records.js';

const RESOURCE_OF = new Map<CollectionName, Resource>(
  Object.values(RESOURCES).map((row) => [row.collection, row]),
);

/** Lists the fields of the records of a resource that may hold any text; none for other collections. */
export function textFieldsOf(collection: CollectionName): readonly string[] {
  const row = RESOURCE_OF.get(collection);
  return row ? fieldsOfKind(row, TEXT_KINDS) : [];
}

/** The properties of tokens that are shown to callers that may not read token data, or are sent to others. */
const SHOWN_OF_TOKENS = ['metadata', 'containers', 'search_indexes', 'fingerprint_expression'];

const PROPERTIES: Readonly<Record<string, string>> = {
  search_indexes: 'search indexes',
  fingerprint_expression: 'fingerprint expression',
  destination_url: 'destination',
  notify_email: 'e-mail address',
  url: 'URL',
};

/** Yields each property of a record that is shown, with its place: `configuration of reactor charge`. */
export function* shownTexts(collection: CollectionName, record: object) {
  const values = record as Readonly<Record<string, unknown>>;
  const { id, name } = values;
  const noun = RESOURCE_OF.get(collection)?.noun ?? 'token';
  const fields = collection === 'tokens' ? SHOWN_OF_TOKENS : textFieldsOf(collection);
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
