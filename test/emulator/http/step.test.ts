import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { runSteps, type Step } from '../../../emulator/http/step.js';

/** Runs steps with a reply that only records whether it was sent; returns the names of the steps that ran. */
async function trace(steps: Record<string, Step>): Promise<string[]> {
  const ran: string[] = [];
  const reply = { sent: false };
  const recorded = Object.entries(steps).map(
    ([name, step]): Step =>
      (...exchange) => {
        ran.push(name);
        return step(...exchange);
      },
  );
  await new Promise<void>((resolve, reject) => {
    const replied = () => reply.sent && resolve();
    runSteps(recorded, {} as FastifyRequest, reply as FastifyReply, (error) =>
      error ? reject(error) : resolve(),
    );
    setImmediate(() => setImmediate(replied));
  }).catch(({ message }: Error) => ran.push(`failed: ${message}`));
  return ran;
}

const pass: Step = () => {};
const wait: Step = () => new Promise((resolve) => setImmediate(resolve));
const respond: Step = (_request, reply) => void Object.assign(reply, { sent: true });
const refuse: Step = () => {
  throw new Error('refused');
};

describe('runSteps', () => {
  test('runs synchronous and asynchronous steps in order', async () => {
    expect(await trace({ a: pass, b: wait, c: pass })).toEqual(['a', 'b', 'c']);
  });

  test('stops at the step that throws', async () => {
    expect(await trace({ a: pass, b: refuse, c: pass })).toEqual(['a', 'b', 'failed: refused']);
    expect(await trace({ a: async () => Promise.reject(new Error('late')), b: pass })).toEqual([
      'a',
      'failed: late',
    ]);
  });

  test('stops at the step that sends the response', async () => {
    expect(await trace({ a: respond, b: pass })).toEqual(['a']);
  });
});
