import { expect, onTestFinished, test } from 'vitest';
import { quantile, type Reading, sampleOf } from '../../../../src/cli/commands/emulator/top.js';
import type { Stats } from '../../../../src/contract/control/status.js';
import { LATENCY_BOUNDS_MS } from '../../../../src/contract/control/vocabulary.js';
import { projectDir, scratchDir, tokenctl } from '../../../support/executable.js';
import { useServer } from '../../../support/test-server.js';

const dataDir = scratchDir();
const server = useServer({ dataDir });

/** Sends requests one after the other until the test ends; every second one fails. */
function sendRequests(): void {
  let isDone = false;
  onTestFinished(() => {
    isDone = true;
  });
  void (async () => {
    const headers = { 'SVC-API-KEY': server.emulator.keys.private };
    while (!isDone) {
      await fetch(`${server.emulator.url}/tokens?size=1`, { headers });
      await fetch(`${server.emulator.url}/tokens/missing`, { headers });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
}

const run = (...args: string[]) =>
  tokenctl(['emulator', 'top', '--count', '2', ...args], {
    cwd: dataDir,
    env: { TOKENCTL_DATA_DIR: dataDir },
  });

test('emulator top prints a heading and a plain line per interval', async () => {
  const { code, stdout, stderr } = await run('--interval', '100ms');
  const lines = stdout.trimEnd().split('\n');
  expect([code, stderr, lines.length]).toEqual([0, '', 3]);
  expect(lines[0]).toMatch(
    /TIME +REQ\/S +4XX\/S +5XX\/S +P50 +P95 +REACTORS +TOKENS +DISK +MEMORY +LARGE +MOST BY/,
  );
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  expect(stdout).not.toContain('\u001b');
});

test('emulator top prints an object per line with --json', async () => {
  sendRequests();
  // A second is enough for some requests on any machine.
  const { stdout } = await run('--json', '--interval', '1s');
  const samples = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(samples).toHaveLength(2);
  expect(samples[1]).toMatchObject({
    time: expect.any(String),
    requests_per_second: expect.any(Number),
    server_errors_per_second: 0,
    p50_ms: expect.any(Number),
    reactors: { running: 0, queued: 0 },
    store: { tokens: 0, bytes: expect.any(Number) },
  });
  expect(samples[1].client_errors_per_second).toBeGreaterThan(0);
  expect(samples[1].p95_ms).toBeGreaterThanOrEqual(samples[1].p50_ms);
  expect((await run('--jq', '.store.tokens', '--interval', '100ms')).stdout).toBe('0\n0\n');
});

test.each([
  ['--interval', '10ms', 'at least 100ms'],
  ['--count', '0', 'of 1 or more'],
])('emulator top: %s %s is a usage error', async (flag, value, message) => {
  expect(await run(flag, value)).toMatchObject({
    code: 2,
    error: { detail: expect.stringContaining(message) },
  });
});

test('emulator top without an emulator exits 1 and says how to start one', async () => {
  const cwd = await projectDir({});
  expect(await tokenctl('emulator top', { cwd })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('tokenctl emulator start'),
  });
});

const reading = (at: number, total: number, counts: number[] = []): Reading => {
  const requests = { total, client_errors: total / 2, server_errors: 0 };
  const latency = { bounds_ms: [...LATENCY_BOUNDS_MS], counts };
  const large_requests = { held_bytes: 0, capacity_bytes: 1, waiting: 0, holders: [] };
  const reactors = { running: 0, queued: 0, idle: 0, memory_bytes: 0 };
  const rest = { reactors, store: { tokens: 0 }, large_requests, memory_bytes: 1 };
  return { at, stats: { uptime_ms: 1, requests, latency, ...rest } satisfies Stats };
};

test('samples: a rate is the difference of two readings over their distance', () => {
  const sample = sampleOf(reading(0, 100), reading(500, 200));
  expect(sample).toMatchObject({ requests_per_second: 200, client_errors_per_second: 100, p50_ms: null });
});

test('samples: after a restart of the emulator the counters begin at 0', () => {
  expect(sampleOf(reading(0, 100), reading(1_000, 10)).requests_per_second).toBe(10);
});

test.each([
  [0.5, [10, 0, 0], 0.5],
  [0.95, [90, 10, 0], 1.5],
  [0.5, [0, 0, 5], 2],
  [1, [1, 1, 0], 2],
])('samples: quantile %d of the buckets %j is %d', (share, counts, expected) => {
  expect(quantile(share, counts, [1, 2])).toBe(expected);
});
