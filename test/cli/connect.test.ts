import { expect, test } from 'vitest';
import { createWriteGuard } from '../../src/cli/connect.js';

function guard({ isProtected = true, yes = false, interactive = false, agrees = true }) {
  const notices: string[] = [];
  const questions: string[] = [];
  const before = createWriteGuard(
    () => 'production https://p.example',
    isProtected,
    { yes },
    {
      output: { target: (text) => void notices.push(text) },
      prompts: {
        interactive,
        confirm: async ({ message }) => {
          questions.push(message);
          return agrees;
        },
      },
    },
  );
  return { before, notices, questions };
}

test('the service is named once, before the first write', async () => {
  const { before, notices, questions } = guard({ isProtected: false });
  await Promise.all([before(), before()]);
  expect({ notices, questions }).toEqual({ notices: ['→ production https://p.example'], questions: [] });
});

test('a protected service asks once, and the question names it', async () => {
  const { before, notices, questions } = guard({ interactive: true });
  await Promise.all([before(), before()]);
  expect(questions).toEqual(['Write to production https://p.example?']);
  expect(notices).toEqual(['→ production https://p.example']);
});

test('a refusal applies to every later write', async () => {
  const { before, notices } = guard({ interactive: true, agrees: false });
  await expect(before()).rejects.toThrow('Nothing was written to production https://p.example.');
  await expect(before()).rejects.toThrow('Nothing was written to production https://p.example.');
  expect(notices).toEqual([]);
});

test('a protected service needs --yes if there is no terminal', async () => {
  await expect(guard({}).before()).rejects.toThrow(
    'Writing to production https://p.example requires --yes when prompts are disabled',
  );
  await guard({ yes: true }).before();
});

test('a confirmation that named the service is sufficient', async () => {
  const { before, questions } = guard({ interactive: true });
  await before(true);
  await before();
  expect(questions).toEqual([]);
});
