import { expect, test } from 'vitest';
import { notFoundProblem } from '../../../emulator/http/not-found.js';

test.each(['/nothing', '/', '/tokens/a/b', '/nothing?x=/tokens'])('%s is 404', (url) => {
  expect(notFoundProblem(url)).toMatchObject({ problem: 'notFound', status: 404 });
});

test.each([
  ['/tokens', 'POST, GET'],
  ['/tokens?page=1', 'POST, GET'],
  ['/tokens/%7Bid%7D', 'GET, PATCH, DELETE'],
])('%s is 405 and allows %s', (url, Allow) => {
  expect(notFoundProblem(url)).toMatchObject({
    problem: 'methodNotAllowed',
    status: 405,
    headers: { Allow },
  });
});
