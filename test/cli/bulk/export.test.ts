import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectDir, startTokenctl, tokenctl } from '../../support/executable.js';
import { startForwarder } from '../../support/forwarder.js';
import { startStub } from '../../support/http-server.js';
import { useSharedEmulator } from '../../support/shared-emulator.js';
import { createTokens } from '../../support/tokens.js';
import { width } from '../../support/width.js';

const emulator = useSharedEmulator({ memory: true });

/** Creates a tenant with tokens whose data is their number. */
async function tenantWith(tokens: number) {
  const target = await emulator.tenant();
  await createTokens(
    target,
    Array.from({ length: tokens }, (_, data) => ({ type: 'token', data })),
  );
  return { ...target, cwd: await projectDir({}) };
}

test('a page that exceeds the size of a response is read in parts', async () => {
  const { run, cwd, env } = await emulator.project();
  const filler = 'x'.repeat(4_000_000);
  const rows = Array.from({ length: 9 }, (_, n) => ({ id: `large-${n}`, type: 'token', data: filler }));
  for (const row of rows) await createTokens({ env }, [row]);
  const args = ['token', 'export', '--reveal', '--out', 'out.ndjson', '--debug'];
  expect(await run(args)).toMatchObject({ code: 0, stderr: expect.stringContaining('/tokens 400') });
  const lines = (await readFile(join(cwd, 'out.ndjson'), 'utf8')).trim().split('\n');
  const ids = lines.map((line) => JSON.parse(line).id).sort();
  expect(ids).toEqual(rows.map(({ id }) => id).sort());
  const list = ['--all', '--reveal', '--json', 'id', '--debug'];
  for (const command of width([], [['list'], ['search', '']])) {
    const args = ['token', ...command, ...list];
    const { code, stdout, stderr } = await run(args);
    expect([code, stderr]).toEqual([0, expect.stringContaining(' 400')]);
    expect(
      JSON.parse(stdout)
        .data.map(({ id }: { id: string }) => id)
        .sort(),
    ).toEqual(ids);
  }
});

describe('token export --format csv', () => {
  test('masks the columns of cards and bank accounts, and an import refuses what is masked', async () => {
    const target = await emulator.project({
      'rows.csv': `type,data.number,data.expiration_month,data.cvc,data.routing_number,data.account_number
card,4242424242424242,04,007,,
bank,,,,021000021,000123456789
`,
    });
    await target.run('token import rows.csv');
    const ran = await target.run('token export --format csv');
    expect(ran.stdout).toMatch(/^id,type,data,data\.number,.*,data\.account_number,metadata,/);
    expect(ran.stdout).toContain(',card,,XXXXXXXXXXXX4242,4,,,,,');
    expect(ran.stdout).toContain(',bank,,,,,,021000021,XXXXXXXX6789,');
    expect(
      await tokenctl('token import - --format csv', {
        cwd: target.cwd,
        env: (await emulator.tenant()).env,
        stdin: ran.stdout,
      }),
    ).toMatchObject({ code: 1, json: { imported: 0, rejected: 2 } });
  });
});

test('a service that does not return pages is an error that says so', async () => {
  const stub = await startStub({ body: {} });
  const env = { TOKENCTL_BASE_URL: stub.url, TOKENCTL_API_KEY: 'key' };
  const ran = await tokenctl('token export -o table', { cwd: await projectDir({}), env });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('a body whose data is not a list') });
});

test('an export removes the plain data that one which was killed has left beside its file', async () => {
  const { cwd, env } = await tenantWith(2_100);
  const args = ['token', 'export', '--out', 'out.ndjson', '--reveal'];
  let pages = 0;
  const { url } = await startForwarder(emulator.url, async () => {
    if (++pages > 12) await new Promise(() => {});
    return undefined;
  });
  const { end } = startTokenctl(args, { cwd, env: { ...env, TOKENCTL_BASE_URL: url } });
  const left = async () => {
    for (;;) {
      const [name] = (await readdir(cwd)).filter((one) => one.startsWith('out.ndjson.'));
      if (name && (await readFile(join(cwd, name), 'utf8')).includes('"data":')) return name;
    }
  };
  const name = await left();
  await end('SIGKILL');
  expect(await readdir(cwd)).toContain(name);
  const again = await tokenctl(args, { cwd, env });
  expect(again.code, again.stderr).toBe(0);
  expect((await readdir(cwd)).filter((one) => one.startsWith('out.ndjson'))).toEqual(['out.ndjson']);
});
