import { expect, test } from 'vitest';
import { Admission, type Charge } from '../../../emulator/services/admission.js';

/** An admission with room for 100 bytes, 75 of them for a tenant, and requests that can be ended. */
function createAdmission(maxWaitMs = 10_000) {
  const admission = new Admission(100, maxWaitMs);
  const ends = new Map<Charge, () => void>();
  const open = (tenantId: string) => {
    const charge: Charge = admission.open(
      () => tenantId,
      (release) => ends.set(charge, release),
    );
    return charge;
  };
  return { admission, open, end: (charge: Charge) => ends.get(charge)?.() };
}

/** Notes when work is admitted. */
function watch(work: Promise<void>): { isDone: boolean } {
  const state = { isDone: false };
  work.then(
    () => (state.isDone = true),
    () => {},
  );
  return state;
}

test('a tenant holds at most its share, and another one gets the rest at once', async () => {
  const { admission, open, end } = createAdmission();
  const [first, second] = [open('a'), open('a')];
  await first.raise(50);
  const waiting = watch(second.raise(50));
  await open('b').raise(25);
  expect(waiting.isDone).toBe(false);
  expect(admission.holders).toEqual([
    { tenantId: 'a', bytes: 50, waiting: 1 },
    { tenantId: 'b', bytes: 25, waiting: 0 },
  ]);
  end(first);
  await expect.poll(() => waiting.isDone).toBe(true);
});

test('requests of one tenant are admitted in their order', async () => {
  const { open, end } = createAdmission();
  const first = open('a');
  await first.raise(50);
  const large = watch(open('a').raise(60));
  const small = watch(open('a').raise(10));
  await open('b').raise(10);
  expect([large.isDone, small.isDone]).toEqual([false, false]);
  end(first);
  await expect.poll(() => [large.isDone, small.isDone]).toEqual([true, true]);
});

test('while a tenant waits for the whole, one that holds something gets no more of it', async () => {
  const { open, end } = createAdmission();
  const charges = [open('a'), open('a'), open('a')];
  await Promise.all(charges.map((charge) => charge.raise(25)));
  const large = watch(open('b').raise(60));
  const more = watch(open('a').raise(25));
  await open('c').raise(20);
  end(charges[0] as Charge);
  end(charges[1] as Charge);
  expect(large.isDone).toBe(false);
  expect(more.isDone).toBe(false);
  end(charges[2] as Charge);
  await expect.poll(() => large.isDone).toBe(true);
});

test('what waits for too long is 503 with Retry-After, unless it is done already', async () => {
  const { open } = createAdmission(0);
  await open('a').raise(75);
  await expect(open('a').raise(10)).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '1' },
    message: expect.stringContaining('this tenant'),
  });
  await open('a').raise(10, true);
});

test('a request that costs more than a share runs when its tenant has no other one', async () => {
  const { admission, open, end } = createAdmission();
  const charge = open('a');
  await charge.raise(1_000);
  expect(admission.holders).toEqual([{ tenantId: 'a', bytes: 75, waiting: 0 }]);
  end(charge);
  expect(admission.holders).toEqual([]);
});

test('a request gives back what it holds before it waits for more, and all of it when it ends while it waits', async () => {
  const { admission, open, end } = createAdmission();
  const [first, second] = [open('a'), open('a')];
  await Promise.all([first.raise(30), second.raise(30)]);
  const more = first.raise(60).catch((error: Error) => error);
  expect(admission.holders).toEqual([{ tenantId: 'a', bytes: 30, waiting: 1 }]);
  end(first);
  await more;
  end(second);
  expect(admission.holders).toEqual([]);
});
