import { defineOperation, type OperationRow } from './operation-row.js';
import type { Noun, Resource } from './resources.js';

function rowsOf<const Collection extends string, const One extends Noun>(
  collection: Collection,
  noun: One,
  source: OperationRow['source'],
) {
  const all = `/${collection}` as const;
  const one = `/${collection}/{id}` as const;
  const permission = `${noun}:update` as const;
  const aNoun = `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
  return {
    create: defineOperation('POST', all, `${noun}:create`, {
      summary: `Create ${aNoun}`,
      success: [201],
      source,
      body: 'json',
    }),
    list: defineOperation('GET', all, `${noun}:read`, {
      summary: `List ${collection}`,
      returns: 'page',
      source,
    }),
    get: defineOperation('GET', one, `${noun}:read`, { summary: `Get ${aNoun}`, source }),
    replace: defineOperation('PUT', one, permission, { summary: `Replace ${aNoun}`, source, body: 'json' }),
    update: defineOperation('PATCH', one, permission, {
      summary: `Update ${aNoun} by merge patch (RFC 7386)`,
      success: [204],
      source,
      body: 'merge-patch',
    }),
    delete: defineOperation('DELETE', one, `${noun}:delete`, { summary: `Delete ${aNoun}`, source }),
  };
}

type Rows<Row extends Resource> = ReturnType<typeof rowsOf<Row['collection'], Row['noun']>>;

/** Returns the operations of a resource by id. Its file adds what is special: `{ ...row, summary: 'Replace it' }`. */
export function resourceOperations<const Row extends Resource>({
  collection,
  noun,
  verbs,
  source,
}: Row): { [V in Row['verbs'][number] as `${Row['collection']}.${V}`]: Rows<Row>[V] } {
  const rows = rowsOf(collection, noun, source);
  const entries = verbs.map((verb) => [`${collection}.${verb}`, rows[verb]]);
  return Object.fromEntries(entries);
}
