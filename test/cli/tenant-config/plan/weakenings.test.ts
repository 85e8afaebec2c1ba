import { expect, test } from 'vitest';
import { useSharedEmulator } from '../../../support/shared-emulator.js';

const emulator = useSharedEmulator();

const CODE = 'module.exports = async () => ({ raw: 1 });\n';

type Rows = Record<string, unknown>;

const rule = (container: string, transform: string, ...permissions: string[]) => ({
  rules: [{ priority: 1, container, transform, permissions }],
});
const WEAK = { name: 'weak', type: 'private', ...rule('/pci/', 'mask', 'token:read') };
const STRONG = { name: 'strong', type: 'private', ...rule('/pci/', 'reveal', 'token:read', 'token:use') };
const ADMIN = { name: 'admin', type: 'management', permissions: ['application:create', 'reactor:read'] };
const ALL = { name: 'all', type: 'private', ...rule('/', 'reveal', 'token:read') };
/** Becomes stronger in the apply that a reactor begins to run as it. */
const GROWN = { ...STRONG, name: 'grown' };
const reactor = (name: string, application: string) => ({ name, code: 'r.js', application });
const proxy = (name: string, more: Rows = {}) => ({
  name,
  destination_url: 'https://one.example/v1',
  ...more,
});

/** Applies a manifest to a fresh tenant, then returns what a plan and an apply say of a second one. */
async function change(before: Rows, after: Rows) {
  const project = await emulator.project({ 'r.js': CODE });
  const run = async (manifest: Rows, line: string) => {
    await project.write('tokenctl.json', JSON.stringify(manifest));
    return project.run(line);
  };
  expect(await run(before, 'apply --yes --allow-weaken')).toMatchObject({ code: 0 });
  const { objects } = (await run(after, 'plan')).json as {
    objects: { kind: string; name: string; weakenings: string[] }[];
  };
  const flagged = objects.flatMap(({ kind, name, weakenings }) =>
    weakenings.map((text) => `${kind} ${name}: ${text}`),
  );
  const { code, stderr } = await run(after, 'apply --yes');
  return { flagged, code, stderr, allowed: () => run(after, 'apply --yes --allow-weaken') };
}

test('an apply needs --allow-weaken for whatever shows more, to more, or opens a service', async () => {
  const before = {
    applications: [WEAK, STRONG, { ...GROWN, ...rule('/pci/', 'mask', 'token:read') }],
    reactors: [reactor('r', 'weak'), reactor('s', 'weak')],
    proxies: [proxy('first'), proxy('moved')],
    tenant: { settings: { fingerprint_tokens: 'true' } },
  };
  const after = {
    applications: [WEAK, STRONG, GROWN, ADMIN, ALL],
    reactors: [reactor('r', 'strong'), reactor('s', 'grown'), reactor('new', 'all')],
    proxies: [
      proxy('first', { application: 'strong' }),
      proxy('moved', { destination_url: 'https://two.example/v1' }),
      proxy('open', { require_auth: false }),
    ],
    tenant: { settings: { fingerprint_tokens: 'false' } },
  };
  const { flagged, code, stderr, allowed } = await change(before, after);
  const asStrong = ['token:read on /pci/ changes from mask to reveal', 'grants token:use on /pci/ (reveal)'];
  const everything = 'grants token:read on all containers (reveal)';
  expect(flagged.sort()).toEqual(
    [
      'application admin: grants application:create',
      `application all: ${everything}`,
      ...asStrong.map((text) => `application grown: ${text}`),
      'proxy first: runs as the application strong: grants token:read on /pci/ (reveal)',
      'proxy first: runs as the application strong: grants token:use on /pci/ (reveal)',
      'proxy moved: sends requests to https://two.example instead of https://one.example',
      'proxy open: accepts requests without a key',
      `reactor new: runs as the application all: ${everything}`,
      ...asStrong.map((text) => `reactor r: runs as the application strong: ${text}`),
      ...asStrong.map((text) => `reactor s: runs as the application grown: ${text}`),
      'tenant self: new tokens get no fingerprint',
    ].sort(),
  );
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('--allow-weaken') });
  expect(await allowed()).toMatchObject({ code: 0 });
});

test('reactor deploy needs the flag as well', async () => {
  const { run, write } = await emulator.project({ 'r.js': CODE });
  const deploy = async (application: string, line: string) => {
    const manifest = { applications: [WEAK, STRONG], reactors: [reactor('r', application)] };
    await write('tokenctl.json', JSON.stringify(manifest));
    return (await run(line)).code;
  };
  expect(await deploy('weak', 'apply --yes')).toBe(0);
  expect(await deploy('strong', 'reactor deploy')).toBe(1);
  expect(await deploy('strong', 'reactor deploy --allow-weaken')).toBe(0);
});
