import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { signBody } from '../../emulator/services/webhooks/signature.js';

const page = await readFile(new URL('../../docs/reactors.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) => code ?? '');

it('the verification function in docs/reactors.md accepts the signatures of callbacks and rejects all others', async () => {
  const code = blocks.find((block) => block.includes('isFromService')) ?? '';
  const { isFromService } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const body = '{"raw":{"name":"Zoë"}}';
  const header = signBody(body, 'secret', Date.now());
  expect(isFromService(body, header, 'secret')).toBe(true);
  expect(isFromService(`${body} `, header, 'secret')).toBe(false);
  expect(isFromService(body, header, 'other')).toBe(false);
  expect(isFromService(body, signBody(body, 'secret', Date.now() - 3_600_000), 'secret')).toBe(false);
  expect(isFromService(body, 't=1', 'secret')).toBe(false);
});
