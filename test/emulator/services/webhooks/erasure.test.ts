import { beforeAll, describe, expect, it } from 'vitest';
import { holds } from '../../../support/data-dir.js';
import { scratchDir } from '../../../support/executable.js';
import { openBarrier, useReceiver } from '../../../support/http-server.js';
import { createApplication, createReactor, react, useServer } from '../../../support/test-server.js';

const ECHO = 'module.exports = async (req) => ({ raw: req.args });';

const dataDir = scratchDir();
const server = useServer({ dataDir });
const receiver = useReceiver();
// The receiver gets the retries of earlier tests at no time but that to which a test moves the clock.
beforeAll(() => void server.emulator.clock.freeze());

/** decisions.md: "within one second after DELETE is answered, after a sweep, and after a cvc purge"; a busy machine gets more. */
const gone = (secret: string) => expect.poll(() => holds(dataDir, secret)).toBe(false);

/** A token whose plaintext stands in as many places as it can. */
async function spread(secret: string): Promise<string> {
  const headers = { 'SVC-IDEMPOTENCY-KEY': 'once' };
  const body = { type: 'token', data: secret, mask: '{{ data }}', search_indexes: ['{{ data }}'] };
  const { id } = await server.token(body, { headers });
  const reactor = await createReactor(server, ECHO);
  expect((await react(server, reactor, { used: `{{ ${id} }}` }, { headers })).body).toEqual({
    raw: { used: secret },
  });
  await server.post(`/reactors/${reactor}/react`, {
    args: { used: `{{ ${id} }}` },
    callback_url: receiver.url,
  });
  expect((await receiver.arrived(1)).body).toContain(secret);
  expect(await holds(dataDir, secret)).toBe(true);
  return id;
}

it('a callback that waits for delivery is erased with a token whose data it contains, and a problem is sent', async () => {
  receiver.answer = () => 500;
  const id = await spread('secret-to-be-deleted');
  await server.delete(`/tokens/${id}`);
  await gone('secret-to-be-deleted');
  await server.emulator.clock.advance(2_000);
  const { body } = await receiver.arrived(2);
  expect(JSON.parse(body)).toMatchObject({ status: 503, instance: expect.any(String) });
  expect(body).not.toContain('secret-to-be-deleted');
});

describe('a result that is not yet complete is not delivered either', () => {
  /** @param code with a `/gate` in it, at which the token goes */
  async function reactAndDelete(code: string, secret: string): Promise<void> {
    const { id: application } = await createApplication(server, { permissions: ['token:use'] });
    const { id } = await server.token({ type: 'token', data: secret });
    const gate = await openBarrier(() => server.delete(`/tokens/${id}`));
    const reactor = await createReactor(server, code.replace('/gate', gate), {
      application: { id: application },
    });
    const answer = await server.post(`/reactors/${reactor}/react`, {
      args: code.includes('detokenize') ? { id } : { used: `{{ ${id} }}` },
      callback_url: receiver.url,
    });
    expect(answer.status).toBe(202);
    await receiver.arrived(1);
    expect(receiver.bodies()).toMatchObject([{ status: 503, instance: expect.any(String) }]);
    await gone(secret);
  }

  it('when the token is deleted while the code is being loaded', async () => {
    const code = `await fetch('/gate');
      export default async ({ args }) => ({ raw: args });`;
    await reactAndDelete(code, 'secret-of-an-argument');
  });

  it('when the code has read the token itself', async () => {
    const code = `module.exports = async ({ args, svc }) => {
      const raw = await svc.detokenize('{{ ' + args.id + ' }}');
      await fetch('/gate');
      return { raw };
    }`;
    await reactAndDelete(code, 'secret-asked-for');
  });
});
