import { expect, test } from 'vitest';
import { notFoundProblem } from '../../../emulator/problems/to-problem.js';

test.each(['/nothing', '/', '/tokens/a/b', '/nothing?x=/tokens', '/_emulator/nothing', '/clock'])(
  '%s is 404',
  (url) => {
    expect(notFoundProblem(url)).toMatchObject({ problem: 'notFound', status: 404 });
  },
);

test.each([
  ['/tokens', 'POST, GET'],
  ['/tokens?page=1', 'POST, GET'],
  ['/tokens/%7Bid%7D', 'GET, PATCH, DELETE'],
  ['/_emulator/clock', 'GET, PUT'],
  ['/_emulator/tenants/a/clock?x=1', 'GET, PUT'],
  ['/_emulator/faults/a', 'DELETE'],
])('%s is 405 and allows %s', (url, Allow) => {
  expect(notFoundProblem(url)).toMatchObject({
    problem: 'methodNotAllowed',
    status: 405,
    headers: { Allow },
  });
});
