import { rm } from 'node:fs/promises';
import * as z from 'zod';
import { fieldErrors } from '../../../../contract/validation.js';
import { writeFileAtomically } from '../../../lib/atomic-write.js';
import { CliError } from '../../../lib/errors.js';
import { parseJson } from '../../../lib/json.js';
import { readText } from '../../project/selection.js';

/** A body with placeholders: JSON, other text, or bytes as text in which each character is a byte (Latin-1). */
const body = z.union([
  z.strictObject({ json: z.unknown() }),
  z.strictObject({ text: z.string() }),
  z.strictObject({ bytes: z.string() }),
]);

const recordedCall = z.strictObject({
  request: z.strictObject({ method: z.string(), url: z.string(), body: body.optional() }),
  response: z.strictObject({
    status: z.int(),
    headers: z.array(z.tuple([z.string(), z.string()])),
    body: body.optional(),
  }),
});

const cassette = z.strictObject({
  version: z.literal(1),
  /** The calls of each test case, in the order in which they began. */
  cases: z.record(z.string(), z.array(recordedCall)),
});

export type RecordedBody = z.output<typeof body>;
export type RecordedCall = z.output<typeof recordedCall>;
export type CassetteCases = z.output<typeof cassette>['cases'];

/** Returns the path of a reactor's cassette: `charge.cassette.json` for `charge.ts`. */
export const cassettePathFor = (code: string): string => `${code.replace(/\.[^.\\/]+$/, '')}.cassette.json`;

export async function readCassette(path: string): Promise<CassetteCases> {
  const parsed = cassette.safeParse(parseJson(await readText(path, 'The cassette'), path));
  if (parsed.success) return parsed.data.cases;
  throw new CliError('usage', `${path} is not a valid cassette.`, {
    errors: fieldErrors(parsed.error),
    hint: 'Record it again: tokenctl reactor test --record',
  });
}

/** Writes a cassette, or removes it when no case made a call. @returns the number of calls */
export async function writeCassette(path: string, cases: CassetteCases): Promise<number> {
  const made = Object.entries(cases).filter(([, calls]) => calls.length > 0);
  if (made.length === 0) await rm(path, { force: true });
  else {
    const text = JSON.stringify({ version: 1, cases: Object.fromEntries(made) }, null, 2);
    await writeFileAtomically(path, `${text}\n`, { mode: 0o644 });
  }
  return made.reduce((sum, [, calls]) => sum + calls.length, 0);
}
