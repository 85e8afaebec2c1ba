import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tokenctl } from '../../../support/executable.js';
import { useSharedEmulator } from '../../../support/shared-emulator.js';

const emulator = useSharedEmulator();

type Rows = Record<string, unknown>;

const rule = (container: string, transform: string, ...permissions: string[]) => ({
  rules: [{ priority: 1, container, transform, permissions }],
});
const WEAK = { name: 'weak', type: 'private', ...rule('/pci/', 'mask', 'token:read') };
const STRONG = { name: 'strong', type: 'private', ...rule('/pci/', 'reveal', 'token:read', 'token:use') };
const ADMIN = { name: 'admin', type: 'management', permissions: ['application:create', 'reactor:read'] };
const ALL = { name: 'all', type: 'private', ...rule('/', 'reveal', 'token:read') };
const reactor = (application: string | null) => ({ name: 'r', code: 'r.js', application });
const proxy = (more: Rows = {}) => ({ name: 'p', destination_url: 'https://one.example/v1', ...more });

/** Applies a manifest to a fresh tenant, then returns what a plan and an apply say of a second one. */
async function change(before: Rows | undefined, after: Rows) {
  const { cwd, env } = await emulator.project({ 'r.js': 'module.exports = async () => ({ raw: 1 });\n' });
  const run = async (manifest: Rows, ...words: string[]) => {
    await writeFile(join(cwd, 'tokenctl.json'), JSON.stringify(manifest));
    return tokenctl(words, { cwd, env });
  };
  if (before) expect(await run(before, 'apply', '--yes', '--allow-weaken')).toMatchObject({ code: 0 });
  const { objects } = JSON.parse((await run(after, 'plan')).stdout) as {
    objects: { kind: string; name: string; weakenings: string[] }[];
  };
  const flagged = objects.flatMap(({ kind, name, weakenings }) =>
    weakenings.map((text) => `${kind} ${name}: ${text}`),
  );
  const { code, stderr } = await run(after, 'apply', '--yes');
  return { flagged, code, stderr, allowed: () => run(after, 'apply', '--yes', '--allow-weaken') };
}

describe('an apply needs --allow-weaken for', () => {
  test.each<[string, Rows | undefined, Rows, string[]]>([
    [
      'a reactor that runs as a stronger application',
      { applications: [WEAK, STRONG], reactors: [reactor('weak')] },
      { applications: [WEAK, STRONG], reactors: [reactor('strong')] },
      [
        'reactor r: runs as the application strong: token:read on /pci/ changes from mask to reveal',
        'reactor r: runs as the application strong: grants token:use on /pci/ (reveal)',
      ],
    ],
    [
      'a proxy that runs as an application for the first time',
      { applications: [STRONG], proxies: [proxy()] },
      { proxies: [proxy({ application: 'strong' })] },
      [
        'proxy p: runs as the application strong: grants token:read on /pci/ (reveal)',
        'proxy p: runs as the application strong: grants token:use on /pci/ (reveal)',
      ],
    ],
    [
      'a reactor that runs as an application that the same apply makes stronger',
      {
        applications: [WEAK, { ...STRONG, ...rule('/pci/', 'mask', 'token:read') }],
        reactors: [reactor('weak')],
      },
      { applications: [WEAK, STRONG], reactors: [reactor('strong')] },
      [
        'application strong: token:read on /pci/ changes from mask to reveal',
        'application strong: grants token:use on /pci/ (reveal)',
        'reactor r: runs as the application strong: token:read on /pci/ changes from mask to reveal',
        'reactor r: runs as the application strong: grants token:use on /pci/ (reveal)',
      ],
    ],
    [
      'a proxy that sends to another host',
      { proxies: [proxy()] },
      { proxies: [proxy({ destination_url: 'https://two.example/v1' })] },
      ['proxy p: sends requests to https://two.example instead of https://one.example'],
    ],
    [
      'a new open proxy',
      undefined,
      { proxies: [proxy({ require_auth: false })] },
      ['proxy p: accepts requests without a key'],
    ],
    [
      'a new application that manages applications, and a reactor that runs as one that reveals everything',
      undefined,
      { applications: [ADMIN, ALL], reactors: [reactor('all')] },
      [
        'application admin: grants application:create',
        'application all: grants token:read on all containers (reveal)',
        'reactor r: runs as the application all: grants token:read on all containers (reveal)',
      ],
    ],
    [
      'fingerprints that are switched off',
      { tenant: { settings: { fingerprint_tokens: 'true' } } },
      { tenant: { settings: { fingerprint_tokens: 'false' } } },
      ['tenant self: new tokens get no fingerprint'],
    ],
  ])('%s', async (_what, before, after, expected) => {
    const { flagged, code, stderr, allowed } = await change(before, after);
    expect(flagged.sort()).toEqual(expected.sort());
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('--allow-weaken') });
    expect(await allowed()).toMatchObject({ code: 0 });
  });
});

test('a first apply of an ordinary manifest, a weaker application, and another path need no flag', async () => {
  const ordinary = {
    applications: [
      WEAK,
      STRONG,
      { name: 'pay', type: 'private', permissions: ['token:create', 'token:use'] },
    ],
    reactors: [reactor('strong')],
    proxies: [proxy({ application: 'pay' })],
  };
  expect(await change(undefined, ordinary)).toMatchObject({ flagged: [], code: 0 });
  const later = {
    reactors: [reactor('weak')],
    proxies: [proxy({ destination_url: 'https://one.example/v2' })],
  };
  expect(await change(ordinary, later)).toMatchObject({ flagged: [], code: 0 });
});

test('reactor deploy needs the flag as well', async () => {
  const { run, cwd } = await emulator.project({ 'r.js': 'module.exports = async () => ({ raw: 1 });\n' });
  const deploy = async (application: string, ...flags: string[]) => {
    const manifest = { applications: [WEAK, STRONG], reactors: [reactor(application)] };
    await writeFile(join(cwd, 'tokenctl.json'), JSON.stringify(manifest));
    return (await run(flags)).code;
  };
  expect(await deploy('weak', 'apply', '--yes')).toBe(0);
  expect(await deploy('strong', 'reactor', 'deploy')).toBe(1);
  expect(await deploy('strong', 'reactor', 'deploy', '--allow-weaken')).toBe(0);
});
