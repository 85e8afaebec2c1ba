import { readFile } from 'node:fs/promises';
import * as net from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchDir, tokenctl } from '../../../support/executable.js';
import { serve } from '../../../support/http-server.js';
import { useOtlpReceiver } from '../../../support/otlp-receiver.js';

/** Writes the names of the files that the process has read to a file when it ends. */
const RECORD_READS = `
const fs = require('node:fs');
const names = new Set();
for (const name of ['readFileSync', 'openSync']) {
  const original = fs[name];
  fs[name] = function (path, ...rest) { names.add(String(path)); return original.call(this, path, ...rest); };
}
process.on('exit', () => { if (process.argv.includes('exec')) fs.writeFileSync(process.env.READS, [...names].join('\\n')); });
`;

const EXEC = ['emulator', 'exec', '--memory', '--', process.execPath, '-e'];
const PING =
  "fetch(process.env.TOKENCTL_BASE_URL + '/ping', { headers: { 'svc-api-key': process.env.TOKENCTL_PRIVATE_KEY } })";

const receiver = useOtlpReceiver();
const folder = scratchDir({ 'reads.cjs': RECORD_READS });

async function run(env: Record<string, string>) {
  const reads = join(folder, 'reads.txt');
  const ran = await tokenctl([...EXEC, PING], {
    cwd: folder,
    env: { NODE_OPTIONS: `--require ${join(folder, 'reads.cjs')}`, READS: reads, ...env },
  });
  return { ...ran, reads: await readFile(reads, 'utf8') };
}

test('the executable exports spans when OTEL_EXPORTER_OTLP_ENDPOINT is set', async () => {
  const ran = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_SERVICE_NAME: 'shop-vault' });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(receiver.spans().map(({ name }) => name)).toContain('GET /ping');
  expect(receiver.resource()['service.name']).toBe('shop-vault');
});

test('without the variable, nothing of OpenTelemetry is loaded', async () => {
  const { code, reads } = await run({});
  expect(code).toBe(0);
  expect(reads).toContain('emulator.cjs');
  expect(reads).not.toMatch(/tracing\.cjs|opentelemetry/);
});

test('a receiver that does not answer does not hold up the end, and is reported', async () => {
  const silent = await serve(net.createServer());
  // OpenTelemetry by itself would wait for an hour, longer than a test may take.
  const ran = await run({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://${silent}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: '3600000',
  });
  expect(ran).toMatchObject({
    code: 0,
    stderr: 'warning: The receiver of OTEL_EXPORTER_OTLP_ENDPOINT does not accept spans.\n',
  });
});

test('an endpoint that is not a URL is a usage error', async () => {
  const { code, stderr } = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' });
  expect(code).toBe(2);
  expect(stderr).toContain('OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL');
});
