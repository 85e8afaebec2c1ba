import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { signBody } from '../../emulator/services/webhooks/send.js';
import { EXECUTABLE, projectDir, runProgram } from '../support/executable.js';
import { useStub } from '../support/http-server.js';

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

const processor = useStub({ body: { status: 'succeeded', receipt: 'r-1' } });

const section = page.slice(page.indexOf('## Testing'));
const commands = /^```sh\n([\s\S]*?)^```/m.exec(section)?.[1]?.split('\n') ?? [];
const localCommands = commands.filter((line) => /^tokenctl reactor (run|test)/.test(line));

it('the section on testing has commands that need no server', () => {
  expect(localCommands).toHaveLength(2);
});

it.each(localCommands)('works when pasted next to the reactor of the page: %s', async (command) => {
  const { host } = new URL(processor.url);
  const local = (text = '') => text.replaceAll('127.0.0.1:9000', host);
  const cwd = await projectDir({
    'charge.js': blocks[0] ?? '',
    'charge.test.json': local(/^```json\n([\s\S]*?)^```/m.exec(section)?.[1]),
  });
  const script = `tokenctl() { ${process.execPath} ${EXECUTABLE} "$@"; }; ${local(command)}`;
  const ran = await runProgram('bash', ['-c', script], { cwd });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).not.toContain('4242424242424242');
});
