import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { MANIFEST_SCHEMA_FILE, manifestJsonSchema } from '../../.config/manifest-schema.js';
import {
  EVALUATION_THREADS,
  MAX_EVALUATION_MS,
  MAX_OUTPUT_LENGTH,
} from '../../emulator/expressions/limits.js';
import { SMALL_BYTES } from '../../emulator/lib/turns.js';
import { DEFAULT_LIMITS } from '../../emulator/sandbox/limits.js';
import { COSTS } from '../../emulator/services/admission.js';
import { loadDefinitions } from '../../src/cli/definitions/index.js';
import { emulatorSection } from '../../src/cli/manifest/emulator-section.js';
import { manifestSchema } from '../../src/cli/manifest/schema.js';
import { LIMITS } from '../../src/contract/limits.js';

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

/** Lists the permissions that the contract asks of a command. */
async function permissionsOf(name: string): Promise<string[]> {
  const { commands } = await loadDefinitions();
  const texts = commands.find((command) => command.name === name)?.permissions() ?? [];
  const permissions = texts.flatMap((text) => /^[a-z]+:[a-z]+/.exec(text)?.[0] ?? []);
  return [...new Set(permissions)].sort();
}

test('docs/ci.md lists the permissions that plan and apply need', async () => {
  const text = await readFile('docs/ci.md', 'utf8');
  const lists = [...text.matchAll(/```\n((?:[a-z]+:[a-z]+\s)+)```/g)].map(([, list = '']) =>
    list.trim().split(/\s+/),
  );
  expect(lists).toEqual([await permissionsOf('plan'), await permissionsOf('apply')]);
});

const { largeRequests, pendingDeliveries, requestMs, storedResponseBytes } = LIMITS;
const { instances, tenantShare, backgroundShare, instancesPerReactor } = DEFAULT_LIMITS;

const number = (value: number): string => value.toLocaleString('en');
const percent = (value: number): string => `${value * 100} %`;
const KiB = (bytes: number): string => `${bytes / 1_024} KiB`;
const MiB = (bytes: number): string => `${bytes / 1_024 ** 2} MiB`;
const seconds = (ms: number): string => `${ms / 1_000} s`;

const { minimum, maximum } = largeRequests.bytes;
const WAITS = `waits ${seconds(largeRequests.waitMs)}, then 503 with \`Retry-After\``;

const ROWS = [
  ['what', 'limit', 'beyond it'],
  ['---', '---', '---'],
  [
    `over ${KiB(SMALL_BYTES)}: bodies (a byte counts ${COSTS.body}), responses (${COSTS.response}), those of destinations (${COSTS.received}), arguments of asynchronous invocations (${COSTS.args})`,
    `${percent(largeRequests.tenantShare)} of what there is for all: ${percent(largeRequests.heapShare)} of the heap, ${MiB(minimum)} to ${MiB(maximum)}`,
    WAITS,
  ],
  ['a request that arrives', seconds(requestMs), '408'],
  [
    'expressions of a request',
    `${seconds(MAX_EVALUATION_MS)}, results of ${number(MAX_OUTPUT_LENGTH)} characters; ${EVALUATION_THREADS} threads, in which tenants take turns`,
    `400; ${WAITS}`,
  ],
  [
    'running invocations',
    `${instances * tenantShare} of ${instances}, ${instances * backgroundShare} asynchronous, ${instancesPerReactor} of a reactor`,
    'waits for its timeout, then 503',
  ],
  [
    'pending deliveries',
    `${number(pendingDeliveries.count)}, bodies of ${MiB(pendingDeliveries.bytes)}`,
    '507, nothing is changed',
  ],
  ['code and configurations', MiB(LIMITS.tenantCodeBytes), '507'],
  [
    'stored responses and results',
    `${MiB(storedResponseBytes)}, and as much in memory only`,
    'the oldest go',
  ],
  ['wildcards in a search', number(LIMITS.searchWildcards), '400'],
  ['levels of all containers in a request', number(LIMITS.containerLevels), '400'],
];

test('docs/security.md has the table of what a tenant may hold, as the code has it', () => {
  const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
  expect(page).toContain(ROWS.map((cells) => `| ${cells.join(' | ')} |\n`).join(''));
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

it.each(documents)('every relative link of %s points to an existing file', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) => target);
  const missing = targets.filter((target) => !existsSync(resolve(root, dirname(document), target)));
  expect(missing).toEqual([]);
});

it('every path that the map for contributors names exists', () => {
  const text = readFileSync(join(root, 'docs/contributing.md'), 'utf8');
  const paths = [...text.matchAll(/`((?:src|emulator|test|docs|fixtures|bench|\.config)\/[\w./-]*)`/g)].map(
    ([, path = '']) => path,
  );
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
