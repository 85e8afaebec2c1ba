import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildPath } from '../../src/contract/operation.js';
import { operationRow } from '../../src/contract/operations.js';
import { type GeneratedRequest, generatedRequest } from './support/generated-request.js';
import { useServer } from './support/server.js';

/** docs/contributing.md says how to make all 10,000. */
const REQUESTS = Number(process.env.TOKENCTL_GENERATED_REQUESTS ?? 1_000);

const server = useServer();

const CODE = 'module.exports = async (req) => ({ raw: req.args ?? {} });';

/** Ids of what the run itself has made, so that requests find something; the seeded applications are not among them. */
const ids: Record<'tokens' | 'reactors' | 'applications', string[]> = {
  tokens: [],
  reactors: [],
  applications: [],
};

function remember(path: string, body: unknown): void {
  const kind = path.split('/')[1] as keyof typeof ids;
  const id = (body as { id?: unknown } | undefined)?.id;
  if (ids[kind] === undefined || typeof id !== 'string') return;
  ids[kind].unshift(id);
  ids[kind].length = Math.min(ids[kind].length, 20);
}

function pathOf({ operation, id, query }: GeneratedRequest): string {
  const { path } = operationRow(operation);
  const kind = path.split('/')[1] as keyof typeof ids;
  const made = ids[kind] ?? [];
  const known = made[Number(id) % made.length] ?? 'none';
  const filled =
    typeof id === 'string'
      ? path.replace('{id}', id)
      : path.includes('{id}')
        ? buildPath(path, { id: known })
        : path;
  const search = queryText(query);
  return search === '' ? filled : `${filled}?${search}`;
}

function queryText(query: unknown): string {
  if (typeof query !== 'object' || query === null) return '';
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item !== 'object' || item === null) parameters.append(name, String(item));
      else
        for (const [key, inner] of Object.entries(item)) parameters.append(`${name}.${key}`, String(inner));
    }
  }
  return parameters.toString().slice(0, 4_000);
}

it(`${REQUESTS} generated requests get no 5xx and no answer outside what the contract lists`, async () => {
  const reactor = await server.post(
    '/reactors',
    { name: 'seed', code: CODE, configuration: {} },
    { as: 'management' },
  );
  remember('/reactors', reactor.body);
  remember('/tokens', await server.token({ type: 'card', data: { number: '4242424242424242' } }));
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(generatedRequest, async (request) => {
      const { method } = operationRow(request.operation);
      const path = pathOf(request);
      const { as, body, headers } = request;
      const answer = await server.call(method, path, {
        as,
        headers,
        ...(body !== undefined && method !== 'GET' && { raw: body }),
      });
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
      if (answer.status === 201) remember(path, answer.body);
    }),
    { numRuns: REQUESTS, endOnFailure: true },
  );
  // A generator that is always refused would prove nothing.
  for (const status of [200, 201, 204, 400, 403, 404, 415])
    expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(0);
}, 900_000);
