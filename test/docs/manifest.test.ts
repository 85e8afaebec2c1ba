import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { MANIFEST_SCHEMA_FILE, manifestJsonSchema } from '../../.config/manifest-schema.js';
import { emulatorSection } from '../../src/cli/manifest/emulator-section.js';
import { manifestSchema } from '../../src/cli/manifest/schema.js';

const page = readFile(fileURLToPath(new URL('../../docs/manifest.md', import.meta.url)), 'utf8');

test('docs/manifest.schema.json matches the schema of the manifest (npm run docs rewrites it)', async () => {
  expect(JSON.parse(await readFile(MANIFEST_SCHEMA_FILE, 'utf8'))).toEqual(JSON.parse(manifestJsonSchema()));
});

test('docs/manifest.md describes every property', async () => {
  const text = await page;
  const names = [...manifestJsonSchema().matchAll(/"properties": \{\s+"([^"]+)"|\},\s+"([a-z_]+)": \{/g)]
    .map(([, first, next]) => first ?? next ?? '')
    .filter((name) => !['$schema', 'items', 'additionalProperties', 'propertyNames'].includes(name))
    // They are those of `emulator start`, which its help describes.
    .filter((name) => !(name in emulatorSection.shape));
  expect(names.length).toBeGreaterThan(20);
  expect([...new Set(names)].filter((name) => !text.includes(`\`${name}`))).toEqual([]);
});

test('the manifest in docs/manifest.md is valid', async () => {
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(await page) ?? [];
  expect(manifestSchema.safeParse(parse(example)).error).toBeUndefined();
});
