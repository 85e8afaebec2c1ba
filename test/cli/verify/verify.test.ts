import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareResponses } from '../../../src/cli/commands/verify.js';
import { STEPS } from '../../../src/cli/verify/steps.js';
import { listLeaves, recordTranscript } from '../../../src/cli/verify/transcript.js';
import { type Client, createClient } from '../../../src/client/index.js';
import { call } from '../../support/call.js';
import { startEmulator } from '../../support/emulator.js';
import { projectDir, startTokenctl } from '../../support/executable.js';
import { startStub } from '../../support/http-server.js';

it('responses are compared without the values that must differ: a change of any single value is reported', () => {
  const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.string());
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), leaf, { minKeys: 1 }),
      leaf,
      (value, other) => {
        const [key = ''] = Object.keys(value);
        const changed = listLeaves({ deep: { ...value, [key]: other } });
        expect(changed.get(`deep.${key}`) === listLeaves({ deep: value }).get(`deep.${key}`)).toBe(
          value[key] === other,
        );
      },
    ),
  );
});

it('a body of another shape than the emulator has is a difference like any other, and does not end the run', async () => {
  const emulator = await startEmulator({ port: 0, rateLimit: false });
  const stub = await startStub({ body: [] });
  const [reference, remote] = [emulator.url, stub.url].map((baseUrl) =>
    createClient({ baseUrl, apiKey: emulator.keys.private, retries: 0 }),
  ) as [Client, Client];
  const [here, there] = [await recordTranscript(reference, 'run'), await recordTranscript(remote, 'run')];
  await Promise.all([reference.close(), remote.close(), emulator.close()]);
  expect(there.map(({ status }) => status)).toEqual(STEPS.map(() => 200));
  const [created] = compareResponses(here, there);
  expect(created?.differences).toContainEqual({ path: 'body.type', emulator: '"card"', remote: 'absent' });
});

it('Ctrl-C leaves nothing on the service', async () => {
  const emulator = await startEmulator({ port: 0, rateLimit: false });
  const { keys, url } = emulator;
  // What comes after the tokens and the reactor are made takes longer than anyone waits.
  const fault = { operation: 'reactors.react', latency_ms: 600_000 };
  await call(emulator, 'POST', '/_emulator/faults', { control: true, body: fault });
  const env = {
    TOKENCTL_BASE_URL: url,
    TOKENCTL_MANAGEMENT_KEY: keys.management,
    TOKENCTL_PRIVATE_KEY: keys.private,
  };
  const { child, ended } = startTokenctl('verify --remote', { cwd: await projectDir({}), env });
  emulator.subscribe((event) => {
    if (event.kind === 'request' && event.operation === 'reactors.list') child.kill('SIGINT');
  });
  expect(await ended).toEqual([130, null]);
  expect((await call(emulator, 'GET', '/tokens')).body.data).toEqual([]);
  expect((await call(emulator, 'GET', '/reactors', { as: 'management' })).body.data).toEqual([]);
  await emulator.close();
});
