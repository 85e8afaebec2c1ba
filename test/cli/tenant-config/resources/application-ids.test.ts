import { expect, test } from 'vitest';
import { ApplicationIds } from '../../../../src/cli/tenant-config/resources/application-ids.js';

const ID = 'aaaa1111-1111-4111-8111-111111111111';

test('an application that is read twice has a unique name still', () => {
  const ids = new ApplicationIds();
  for (const _ of 'ab') ids.add('payments', ID);
  expect([ids.toId('payments'), ids.toReference(ID.toUpperCase())]).toEqual([ID, 'payments']);
});

test('a renamed application no longer has its former name', () => {
  const ids = new ApplicationIds();
  for (const name of ['payments', 'billing']) ids.add(name, ID);
  expect([ids.has('payments'), ids.toReference(ID)]).toEqual([false, 'billing']);
});
