import { expect, test } from 'vitest';
import { projectDir, tokenctl } from '../../../support/executable.js';
import { problem, startStub } from '../../../support/http-server.js';

test.each([
  'emulator reset --yes',
  'emulator snapshot restore before',
  'emulator snapshot save before',
  'emulator tenant import tenant.jsonl',
  'emulator clock advance 1h',
  'emulator fault clear',
  'emulator origin allow https://shop.example',
  'emulator seed tokenctl.yaml',
  'emulator stop',
])('%s says that it exists for emulators only when a base URL names another service', async (command) => {
  const service = await startStub(problem(404, 'Not Found'));
  const cwd = await projectDir({ 'tenant.jsonl': '{}\n', 'tokenctl.yaml': 'reactors: []\n' });
  for (const flags of [['--base-url', service.url], []]) {
    const env = flags.length > 0 ? {} : { TOKENCTL_BASE_URL: service.url };
    expect(await tokenctl([...command.split(' '), ...flags], { cwd, env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('This command exists for emulators only: it is not sent to'),
    });
  }
  expect(service.requests).toEqual([]);
});
