import { expect, type Step } from './step.js';

interface WithId {
  id: string;
}

/** Ids that later steps use. */
interface Notes {
  card?: string;
  bank?: string;
  receipt?: string;
}

const notes: Notes = {};
const remember = (key: keyof Notes, value: string): void => {
  notes[key] = value;
};

/** The steps of the demo: what a user types, and the expected result. */
export const STORY: Step[] = [
  {
    title: 'Store a card. The response shows it masked.',
    command: () => [
      'token',
      'create',
      '--type',
      'card',
      '--data',
      '@fixtures/demo/card.json',
      '--metadata',
      'customer=C-1042',
    ],
    check({ json }) {
      const token = json as WithId & { data: unknown };
      expect(token.data, { number: 'XXXXXXXXXXXX4242', expiration_month: 12, expiration_year: 2031 });
      remember('card', token.id);
    },
  },
  {
    title: 'Store a bank account, field by field.',
    command: () => [
      'token',
      'create',
      '--type',
      'bank',
      '--field',
      'routing_number=021000021',
      '--field',
      'account_number=000123456789',
      '--metadata',
      'customer=C-1042',
    ],
    check({ json }) {
      const token = json as WithId & { data: unknown };
      expect(token.data, { routing_number: '021000021', account_number: 'XXXXXXXX6789' });
      remember('bank', token.id);
    },
  },
  {
    title: 'A routing number with a wrong checksum is rejected.',
    command: () => [
      'token',
      'create',
      '--type',
      'bank',
      '--field',
      'routing_number=021000022',
      '--field',
      'account_number=000123456789',
    ],
    exitCode: 2,
    check({ stderr }) {
      expect(stderr.includes('data.routing_number') && stderr.includes('checksum'), true);
    },
  },
  {
    title: 'List the tokens of the customer (metadata values match case-insensitively).',
    command: () => ['token', 'list', '--metadata', 'customer=c-1042', '--output', 'table'],
    check({ stdout }) {
      expect(
        [notes.card, notes.bank].every((id) => stdout.includes(id ?? '?')),
        true,
      );
    },
  },
  {
    title: 'Patch a token: a merge patch leaves the other fields unchanged.',
    command: () => [
      'token',
      'update',
      notes.bank ?? '',
      '--metadata',
      'verified=yes',
      '--json',
      'id,metadata,modified_at',
    ],
    check({ json }) {
      expect((json as { metadata: unknown }).metadata, { customer: 'C-1042', verified: 'yes' });
    },
  },
  {
    title: 'Deploy a reactor from a file.',
    command: () => [
      'reactor',
      'deploy',
      'fixtures/demo/payout.js',
      '--config',
      'CURRENCY=USD',
      '--output',
      'table',
    ],
    check({ stdout }) {
      expect(/payout\b.*created|created\b.*payout/.test(stdout), true);
    },
  },
  {
    title: 'Deploy it again: nothing changes.',
    command: () => [
      'reactor',
      'deploy',
      'fixtures/demo/payout.js',
      '--config',
      'CURRENCY=USD',
      '--output',
      'table',
    ],
    check({ stdout }) {
      expect(/payout\b.*unchanged|unchanged\b.*payout/.test(stdout), true);
    },
  },
  {
    title: 'Invoke it with token ids. The code sees the data, the application does not.',
    command: () => [
      'reactor',
      'react',
      'payout',
      '--arg',
      `card={{ ${notes.card} }}`,
      '--arg',
      `bank={{ ${notes.bank} }}`,
      '--arg',
      'amount=125000',
    ],
    check({ json }) {
      const { raw, tokens } = json as { raw: Record<string, unknown>; tokens: { receipt: WithId } };
      expect([raw.status, raw.amount, raw.currency], ['accepted', 125000, 'USD']);
      remember('receipt', tokens.receipt.id);
    },
  },
  {
    title: 'The reactor created a token; read it.',
    command: () => ['token', 'get', notes.receipt ?? '', '--reveal', '--json', 'id,type,data'],
    check({ json }) {
      expect((json as { data: { paid_to: unknown } }).data.paid_to, '000123456789');
    },
  },
  {
    title: 'An argument that the code rejects is returned as its own error.',
    command: () => ['reactor', 'react', 'payout', '--arg', 'amount=-1'],
    exitCode: 2,
    check({ stderr }) {
      expect(stderr.includes('must be a positive integer of cents'), true);
    },
  },
  {
    title: 'Turn deduplication on for the tenant …',
    command: () => ['tenant', 'settings', 'set', 'deduplicate_tokens=true'],
    check({ stdout }) {
      expect(stdout.includes('deduplicate_tokens'), true);
    },
  },
  {
    title: '… and the same card returns the existing token.',
    command: () => [
      'token',
      'create',
      '--type',
      'card',
      '--data',
      '@fixtures/demo/card.json',
      '--json',
      'id,fingerprint',
    ],
    check({ json }) {
      expect((json as WithId).id, notes.card);
    },
  },
  {
    title: 'The usage report.',
    command: () => ['usage', '--output', 'table'],
    check({ stdout }) {
      expect(
        ['card', 'bank', 'token'].every((type) => stdout.includes(type)),
        true,
      );
    },
  },
  {
    title: 'Delete a token.',
    command: () => ['token', 'delete', notes.receipt ?? '', '--yes'],
    check() {},
  },
  {
    title: 'The deleted token is not found.',
    command: () => ['token', 'get', notes.receipt ?? ''],
    exitCode: 5,
    check() {},
  },
];
