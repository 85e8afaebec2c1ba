import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Access } from '../../../emulator/access/access.js';
import { AccessRecorder } from '../../../emulator/access/access-recorder.js';
import { type AccessCheck, explainCheck } from '../../../emulator/access/explain-check.js';
import type { ApplicationRecord } from '../../../emulator/store/records.js';
import type { AccessExplanation } from '../../../src/contract/control/access.js';
import { container, permission, rule } from '../../support/access-rules.js';
import {
  type CallOptions,
  controlOf,
  createApplication,
  createReactor,
  react,
  useServer,
} from '../../support/test-server.js';

const server = useServer();
const control = () => controlOf(server);

async function explain(traceId: string): Promise<AccessExplanation> {
  const { status, body } = await control().get(`/access/${traceId}`);
  expect(status).toBe(200);
  return body;
}

/** Sends a request under a trace id of its own and returns its explanation. */
async function explained(
  send: (options: CallOptions) => Promise<{ status: number }>,
  options: CallOptions,
): Promise<AccessExplanation> {
  const traceId = randomUUID();
  await send({ ...options, headers: { 'svc-trace-id': traceId } });
  return explain(traceId);
}

const RULES = [
  { priority: 30, container: '/pci/', transform: 'reveal', permissions: ['token:read'] },
  { priority: 10, container: '/general/', transform: 'reveal', permissions: ['token:read'] },
  {
    description: 'cards are shown masked',
    priority: 20,
    container: '/pci/high/',
    transform: 'mask',
    permissions: ['token:read', 'token:search'],
  },
] as const;

test('an explanation of a token shows the rules that the application had at the time', async () => {
  const { id, key } = await createApplication(server, { rules: RULES });
  const token = await server.token({ type: 'token', data: 'secret', containers: ['/general/'] });
  const traceId = randomUUID();
  await server.get(`/tokens/${token.id}`, { key, headers: { 'svc-trace-id': traceId } });
  await server.put(`/applications/${id}`, { name: 'changing', permissions: [] }, { as: 'management' });
  expect((await explain(traceId)).calls[0]?.decisions[1]).toMatchObject({ transform: 'reveal' });
});

test('every container of a token that is used is checked, and the one that is missing is named', async () => {
  const rules = [{ priority: 1, container: '/pci/', transform: 'redact', permissions: ['token:use'] }];
  const key = await server.application({ rules });
  const { id } = await server.token({ type: 'token', data: 'secret', containers: ['/pci/', '/pii/'] });
  const { calls } = await explained((options) => server.post('/detokenize', `{{ ${id} }}`, options), { key });
  expect(calls[0]?.decisions[1]).toMatchObject({
    scope: 'every_container',
    token_ids: [id],
    granted: false,
    missing_on: ['/pii/'],
    rules: [{ outcome: 'grants' }],
  });
});

test('a list names what it left out and why, and only what matches its filters', async () => {
  const key = await server.application({ rules: RULES });
  const tagged = (containers: string[], tag: string) =>
    server.token({ type: 'token', data: 'secret', containers, metadata: { tag } });
  const shown = await tagged(['/general/low/'], 'a');
  const hidden = await tagged(['/pii/'], 'a');
  await tagged(['/pii/'], 'b');
  const { calls } = await explained((options) => server.get('/tokens?metadata.tag=a', options), { key });
  expect(calls[0]?.decisions.slice(1)).toMatchObject([
    { scope: 'list', granted: true, left_out: 1 },
    { scope: 'left_out', granted: false, token_ids: [hidden.id], containers: ['/pii/'] },
    { scope: 'any_container', granted: true, token_ids: [shown.id], transform: 'reveal' },
  ]);
});

test('the calls that a reactor makes are explained with its own application', async () => {
  const application = await createApplication(server, { name: 'charger', permissions: ['token:create'] });
  const { id } = await server.token({ type: 'token', data: 'secret' });
  const code = 'module.exports = async ({ args, svc }) => svc.tokens.get(args.id)';
  const reactor = await createReactor(server, code, { application: { id: application.id } });
  const { calls } = await explained((options) => react(server, reactor, { id }, options), {});
  expect(calls[1]).toMatchObject({
    application: { name: 'charger' },
    actor: { type: 'reactor', id: reactor },
    decisions: [{ operation: 'tokens.get', permission: 'token:read', granted: false }],
  });
});

test('an unknown key is explained without it; an unknown trace is 404', async () => {
  const key = `key_${randomUUID()}`;
  const explanation = await explained((options) => server.get('/tokens', options), { key });
  expect(explanation.requests).toMatchObject([{ status: 401, error: expect.stringContaining('not a key') }]);
  expect(explanation.calls).toEqual([]);
  expect(JSON.stringify(explanation)).not.toContain(key);
  expect((await control().get('/access/unknown')).status).toBe(404);
});

test('an explanation holds neither token data nor keys', async () => {
  const key = await server.application({ permissions: ['token:create', 'token:read'] });
  const data = 'plain-text-of-a-token';
  const created = await explained(
    (options) => server.post('/tokens', { type: 'token', data, search_indexes: ['{{ data }}'] }, options),
    { key },
  );
  const listed = await explained((options) => server.get('/tokens', options), { key });
  expect(JSON.stringify([created, listed])).not.toMatch(new RegExp(`${data}|${key}`));
});

test('an explanation agrees with what was decided', () => {
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 6 }),
      permission,
      fc.array(container, { minLength: 1, maxLength: 3 }),
      (rules, permission, containers) => {
        const access = new Access({ rules });
        const token = { permission, containers, tokenIds: [] };
        const any = explainCheck({ scope: 'any_container', ...token }, { rules });
        expect(any.transform).toBe(access.transform(permission, containers));
        const decisive = any.rules?.filter(({ outcome }) => outcome === 'decides') ?? [];
        expect(decisive.map(({ transform }) => transform)).toEqual(any.transform ? [any.transform] : []);
        const every = explainCheck({ scope: 'every_container', ...token }, { rules });
        expect(every.granted).toBe(access.grantedOnAll(permission, containers));
        expect(every.missing_on === undefined).toBe(every.granted);
      },
    ),
  );
});

test('the access that is recorded grants what was granted, with the same transforms, and nothing less would', () => {
  const scope = fc.constantFrom('any_container', 'every_container', 'response', 'list', 'operation');
  const check = fc
    .record({
      scope,
      permission: fc.constantFrom('token:read', 'token:use', 'token:search', 'token:delete', 'token:create'),
      containers: fc.array(container, { minLength: 1, maxLength: 2 }),
    })
    .map(({ containers, ...one }) => {
      const ofToken = { containers, tokenIds: [] };
      return { ...one, ...(one.scope === 'operation' || one.scope === 'list' ? {} : ofToken) } as AccessCheck;
    });
  const permissions = fc.uniqueArray(permission);
  const controls = fc.oneof(
    fc.record({ permissions }),
    fc.record({ rules: fc.array(rule, { maxLength: 5 }) }),
  );
  fc.assert(
    fc.property(controls, fc.array(check, { maxLength: 6 }), (own, checks) => {
      const application = { name: 'app', type: 'private', ...own } as ApplicationRecord;
      const recorder = new AccessRecorder();
      for (const one of checks) recorder.add(one, application);
      const granted = checks.filter(
        (one) => one.scope !== 'response' && explainCheck(one, application).granted,
      );
      const [recorded, ...others] = recorder.result();
      expect([recorded !== undefined, others]).toEqual([granted.length > 0, []]);
      /** Whether an access answers as the application's own did; how a token is shown matters to those who read it. */
      const suffices = (access: Pick<ApplicationRecord, 'permissions' | 'rules'>) =>
        granted.every((one) => {
          const [before, after] = [explainCheck(one, application), explainCheck(one, access)];
          const shows = one.permission === 'token:read' || one.permission === 'token:search';
          return after.granted && (!shows || after.transform === before.transform);
        });
      const { permissions, rules = [] } = recorded ?? {};
      expect(suffices({ permissions, rules: permissions ? undefined : rules } as ApplicationRecord)).toBe(
        true,
      );
      for (const less of permissions ?? [])
        expect(suffices({ permissions: permissions?.filter((one) => one !== less) ?? [] })).toBe(false);
      for (const [index, { permissions: all }] of rules.entries())
        for (const less of all) {
          const fewer = {
            ...rules[index],
            permissions: all.filter((one) => one !== less),
          } as (typeof rules)[0];
          expect(suffices({ rules: rules.with(index, fewer) })).toBe(false);
        }
    }),
  );
});

test('of many rules, those are listed that grant, or fail for the permission alone', () => {
  const rules = Array.from({ length: 150 }, (_, number) => ({
    ...{ priority: number, container: number < 140 ? `/${number}/` : '/', transform: 'mask' as const },
    permissions: [number === 149 ? ('token:read' as const) : ('token:use' as const)],
  }));
  const check: AccessCheck = {
    scope: 'any_container',
    permission: 'token:read',
    containers: ['/a/'],
    tokenIds: [],
  };
  const outcomes = [...Array<string>(9).fill('lacks_permission'), 'decides'];
  expect(explainCheck(check, { rules }).rules?.map(({ outcome }) => outcome)).toEqual(outcomes);
});

test('of a search with many terms, the filters are left out and the explanation says so', async () => {
  const query = Array.from({ length: 300 }, (_, index) => `id:${index}`).join(' OR ');
  const { calls } = await explained((options) => server.post('/tokens/search', { query }, options), {});
  expect(calls).toMatchObject([{ cut: true, decisions: [{ scope: 'operation' }] }]);
});
