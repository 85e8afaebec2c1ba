import { expect, it, test } from 'vitest';
import { createApplication, createReactor, refusal, useServer } from '../../../support/test-server.js';

const server = useServer();
const CODE = 'module.exports = async (req) => ({ raw: { answer: 42, configuration: req.configuration } });';
const management = { as: 'management' } as const;
const create = (more: object) =>
  server.post('/reactors', { name: 'n', code: CODE, configuration: {}, ...more }, management);

it.each([
  ['an unknown property', { timeout: 1 }, 'timeout'],
  ['an application id that is no UUID', { application: { id: 'x' } }, 'application.id'],
])('POST /reactors refuses %s with 400', async (_what, change, path) => {
  expect(refusal(await create(change))).toEqual([400, [path]]);
});

it('POST /reactors accepts a name of 200 and code of exactly 50,000 characters', async () => {
  const code = `${CODE}\n// ${'x'.repeat(50_000)}`.slice(0, 50_000);
  const answer = await create({ name: 'n'.repeat(200), code });
  expect([answer.status, answer.body.code]).toEqual([201, code]);
});

it('POST /reactors takes a public or private application that is there', async () => {
  const permissions = ['token:create'];
  const { id } = await createApplication(server, { permissions }, 'public');
  expect((await create({ application: { id } })).status).toBe(201);
  await server.delete(`/applications/${id}`, management);
  expect((await create({ application: { id } })).status).toBe(400);
  const own = (await server.get('/applications/key', management)).body.id;
  const { body } = await create({ application: { id: own } });
  expect(body.errors['application.id'][0]).toMatch(/public or private/);
});

it.each([{ name: null }, { code: 'x'.repeat(50_001) }, { configuration: { A: 1 } }, { unknown: 1 }])(
  'PATCH /reactors/{id} refuses %j with 400',
  async (patch) => {
    const id = await createReactor(server, CODE);
    expect((await server.patch(`/reactors/${id}`, patch, management)).status).toBe(400);
  },
);

test('the code and configurations of a tenant have at most 64 MiB: more is 507, and nothing is stored', async () => {
  const configuration = { KEY: 'x'.repeat(5_200_000) };
  for (let i = 0; i < 12; i++) expect((await create({ name: `large ${i}`, configuration })).status).toBe(201);
  const refused = await create({ name: 'large one too many', configuration });
  expect([refused.status, refused.body.detail]).toEqual([507, expect.stringContaining('67108864 bytes')]);
  const { body } = await server.get('/reactors?name=large*&size=1', management);
  expect(body.pagination.total_items).toBe(12);
  const replacement = { name: 'large', code: CODE, configuration };
  const replaced = await server.put(`/reactors/${body.data[0].id}`, replacement, management);
  expect(replaced.status).toBe(200);
  const page = await server.get('/reactors?name=large*&size=100', management);
  expect(refusal(page)).toEqual([400, ['query.size']]);
});
