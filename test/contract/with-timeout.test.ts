import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { withTimeout } from '../../src/contract/with-timeout.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('the time of withTimeout() ends although nothing else refers to it', async () => {
  const ended = once(withTimeout(new AbortController().signal, 100), 'abort');
  for (let i = 0; i < 3; i += 1) {
    await nextTurn();
    collectGarbage();
  }
  await ended;
});

test('withTimeout() is aborted with the signal that it is given, for its reason', () => {
  const controller = new AbortController();
  const signal = withTimeout(controller.signal, 60_000);
  controller.abort('interrupted');
  expect(signal.reason).toBe('interrupted');
});
