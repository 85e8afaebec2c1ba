// Writes docs/manifest.schema.json from the schema of the manifest; a test proves that it is current. Run: npm run docs
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { manifestSchema } from '../src/cli/manifest/schema.js';

/** Where editors find the published file. */
const URL_OF_SCHEMA = 'https://unpkg.com/tokenctl/docs/manifest.schema.json';

/** The JSON Schema of `tokenctl.yaml` and `tokenctl.json`, as text. */
export function manifestJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(manifestSchema, { io: 'input', unrepresentable: 'any' });
  return `${JSON.stringify({ $schema, $id: URL_OF_SCHEMA, title: 'tokenctl manifest', ...schema }, null, 2)}\n`;
}

export const MANIFEST_SCHEMA_FILE = fileURLToPath(new URL('../docs/manifest.schema.json', import.meta.url));

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeFile(MANIFEST_SCHEMA_FILE, manifestJsonSchema());
