import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  EVALUATION_THREADS,
  MAX_EVALUATION_MS,
  MAX_OUTPUT_LENGTH,
} from '../../emulator/expressions/limits.js';
import { SMALL_BYTES } from '../../emulator/lib/turns.js';
import { DEFAULT_LIMITS } from '../../emulator/sandbox/limits.js';
import { COSTS } from '../../emulator/services/admission.js';
import { LIMITS } from '../../src/contract/limits.js';

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
