import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  EXECUTABLE,
  projectDir,
  startEmulatorProcess,
  startTokenctl,
  tokenctl,
} from '../../../support/executable.js';
import { closedAddress } from '../../../support/http-server.js';

/** A directory, and a configuration of the user that is not shared with another test. */
async function place(files: Record<string, string> = {}) {
  const config = await projectDir({});
  return { cwd: await projectDir(files), env: { TOKENCTL_CONFIG_DIR: config }, config };
}

test('emulator list has every emulator of the user, and no key of it; stop --all ends them', async () => {
  const one = await place();
  const other = { ...(await place()), env: one.env };
  const first = await startEmulatorProcess('--memory --lenient', one);
  const second = await startEmulatorProcess('--memory', other);
  const listed = (await tokenctl('emulator list', one)).json.data;
  const urls = listed.map((row: { base_url: string }) => row.base_url).sort();
  expect(urls).toEqual([first.base_url, second.base_url].sort());
  const row = listed.find(({ pid }: { pid: number }) => pid === first.pid);
  expect(row.options).toEqual({ memory: 'true', lenient: 'true' });

  const registry = join(one.config, 'emulators');
  for (const name of await readdir(registry)) {
    const path = join(registry, name);
    expect(Object.keys(JSON.parse(await readFile(path, 'utf8')))).toEqual(['data_dir']);
    expect((await stat(path)).mode & 0o077).toBe(0);
  }

  first.child.kill('SIGKILL');
  await first.ended;
  expect((await tokenctl('emulator list', one)).json.data).toHaveLength(1);
  expect((await tokenctl('emulator stop --all', one)).code).toBe(0);
  expect(await second.ended).toEqual([0, null]);
  expect(await readdir(registry)).toEqual([]);
  expect((await tokenctl('emulator list', one)).json.data).toEqual([]);
});

test('emulator stop --all stops the others when one cannot be stopped', async () => {
  const options = await place();
  const running = await startEmulatorProcess('--memory', options);
  const state = JSON.parse(await readFile(join(options.cwd, '.tokenctl/state.json'), 'utf8'));
  const gone = await projectDir({});
  const stale = { ...state, base_url: 'http://127.0.0.1:9', pid: process.pid };
  await writeFile(join(gone, 'state.json'), JSON.stringify(stale), { mode: 0o600 });
  await writeFile(join(options.config, 'emulators/0.json'), JSON.stringify({ data_dir: gone }));
  const ran = await tokenctl('emulator stop --all', options);
  expect([ran.code, ran.stderr]).toEqual([
    7,
    expect.stringContaining(`Stopped the emulator at ${running.base_url}`),
  ]);
  expect(await running.ended).toEqual([0, null]);
});

test('emulator stop is refused where a program started the emulator', async () => {
  const options = await place();
  const ran = await tokenctl(
    ['emulator', 'exec', '--', process.execPath, EXECUTABLE, 'emulator', 'stop'],
    options,
  );
  expect(ran.stderr).toContain('stopped by the program that started it');
});

test('emulator start --ensure prints the emulator with these options, and refuses others', async () => {
  const options = await place({ 'tokenctl.yaml': 'emulator: { memory: true, allow_card: 453914* }' });
  const running = await startEmulatorProcess('--refuse-real-cards', options);
  const ensure = (flags: string) => tokenctl(`emulator start --json --ensure ${flags}`, options);
  const same = await ensure('--refuse-real-cards');
  expect([same.code, same.json]).toEqual([0, expect.objectContaining({ event: 'ready', pid: running.pid })]);
  expect(same.json.keys).toEqual(running.keys);
  const url = 'x.example=http://user:hunter2@127.0.0.1:1';
  const others = await ensure(`--clock 2031-01-01 --allow-card 400000* --redirect ${url}`);
  expect(others.code).toBe(2);
  expect(others.error.detail).toMatch(/--refuse-real-cards is set there and not set here/);
  expect(others.error.detail).toMatch(/--clock is not set there and 2031-01-01 here/);
  expect(others.error.detail).toMatch(/--allow-card has another value there;/);
  expect(others.error.detail).toMatch(/--redirect is not set there and set here/);
  expect(others.stderr).not.toMatch(/400000|hunter2/);
  expect((await ensure('--refuse-real-cards --port 1')).error.detail).toContain('--port is 1 here');
  await running.end();
});

test('the project file holds options of the emulator; flags take precedence; paths are relative to it', async () => {
  const section =
    'rate_limit_scale: 3, rate_limit: false, memory: true, clock: 2031-01-01, seed: seeds/seed.json';
  const files = {
    'tokenctl.yaml': `emulator: { ${section}, included_monthly_tokens: 7, lenient: true }`,
    'seeds/seed.json': '{"tokens":[{"id":"seeded","type":"token","data":1}]}',
    'below/.keep': '',
  };
  const options = await place(files);
  const below = { ...options, cwd: join(options.cwd, 'below') };
  const running = await startEmulatorProcess('--included-monthly-tokens 8', below);
  expect((await tokenctl('emulator list', options)).json.data[0].options).toEqual({
    memory: 'true',
    lenient: 'true',
    clock: '2031-01-01',
    'no-rate-limit': 'true',
    'rate-limit-scale': '3',
    'included-monthly-tokens': '8',
    seed: join(options.cwd, 'seeds/seed.json'),
  });
  expect((await tokenctl('token get seeded --jq .created_at', below)).stdout).toMatch(/^2031-01-01/);
  await running.end();
});

test('a flag replaces the option of the project file that it cannot be used with', async () => {
  const options = await place({ 'tokenctl.yaml': 'emulator: { allow_net: [api.example.com] }' });
  const run = ['emulator', 'exec', '--deny-net', '--', process.execPath, '-e', ''];
  expect(await tokenctl(run, options)).toMatchObject({ code: 0 });
});

test.each([
  ['{ port: 99999 }', 'emulator.port', 'must be an integer from 0 to 65535'],
  ['{ memry: true }', 'emulator.memry', 'is not a known property'],
  ['{ memory: 3 }', 'emulator.memory', 'must be true or false'],
  ['{ clock: soon }', 'emulator.clock', 'must be an ISO 8601'],
  ['{ store: postgres://h/d }', 'emulator.store', 'is not a known property'],
  ['text', 'emulator', 'must be an object'],
])('the section emulator: %s is a usage error at %s', async (section, path, message) => {
  const ran = await tokenctl('emulator start', await place({ 'tokenctl.yaml': `emulator: ${section}` }));
  expect([ran.code, ran.error.errors]).toEqual([2, { [path]: [expect.stringContaining(message)] }]);
});

test('the emulator is ready after its seed, and a seed that fails ends the start with file and line', async () => {
  const options = await place({
    'seed.json':
      '{\n  "tokens": [\n    { "type": "token", "data": 1 },\n    { "type": "card",\n      "data": { "number": "1" } }\n  ]\n}',
  });
  const ran = await tokenctl('emulator start --memory --port 0 --seed seed.json', options);
  expect(ran.code).toBe(2);
  expect(Object.keys(ran.error.errors)).toEqual(['seed.json:5: tokens.1.data.number']);
  expect(ran.stdout).toBe('');

  const slow = { tokens: [], applications: [], reactors: [] };
  const tokens = Array.from({ length: 500 }, (_, index) => ({
    type: 'token',
    data: index,
    id: `seeded-${index}`,
  }));
  await writeFile(join(options.cwd, 'seed.json'), JSON.stringify({ ...slow, tokens }));
  const port = await freePort();
  const running = startTokenctl(
    `emulator start --memory --port ${port} --rate-limit-scale 0.01 --seed seed.json --json`,
    options,
  );
  const ready = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/_emulator/ready`);
    await response.text();
    return response.status;
  };
  await expect.poll(() => ready()).toBeGreaterThan(0);
  if (!/"ready"/.test(running.printed())) expect([200, 503]).toContain(await ready());
  await expect.poll(() => ready()).toBe(200);
  expect((await tokenctl('token get seeded-499 --jq .id', options)).stdout).toBe('seeded-499\n');
  await running.end();
});

const freePort = async () => new URL(await closedAddress()).port;
