import assert from 'node:assert/strict';

/** A step of the demo: what a user types, and what is printed. */
export interface Step {
  title: string;
  command: string;
  /** The exit code; default 0. */
  exitCode?: number;
  /** Texts of what is printed. */
  shows?: string[];
}

const CARD = 'token create --type card --data @fixtures/demo/card.json';
const DEPLOY = 'reactor deploy fixtures/demo/payout.js --config CURRENCY=USD';

export const STORY: Step[] = [
  {
    title: 'Store a card. The response shows it masked.',
    command: `${CARD} --id card-of-c-1042 --metadata customer=C-1042`,
    shows: ['card-of-c-1042', 'XXXXXXXXXXXX4242'],
  },
  {
    title: 'Store a bank account, field by field.',
    command:
      'token create --type bank --field routing_number=021000021 --field account_number=000123456789 --id bank-of-c-1042 --metadata customer=C-1042',
    shows: ['bank-of-c-1042', 'XXXXXXXX6789'],
  },
  {
    title: 'A routing number with a wrong checksum is rejected.',
    command: 'token create --type bank --field routing_number=021000022 --field account_number=000123456789',
    exitCode: 2,
    shows: ['routing_number', 'checksum'],
  },
  {
    title: 'List the tokens of the customer (metadata values match case-insensitively).',
    command: 'token list --metadata customer=c-1042',
    shows: ['card-of-c-1042', 'bank-of-c-1042'],
  },
  {
    title: 'Patch a token: a merge patch leaves the other fields unchanged.',
    command: 'token update bank-of-c-1042 --metadata verified=yes',
    shows: ['C-1042', 'verified'],
  },
  { title: 'Deploy a reactor from a file.', command: DEPLOY, shows: ['created', 'payout'] },
  { title: 'Deploy it again: nothing changes.', command: DEPLOY, shows: ['unchanged', 'payout'] },
  {
    title: 'Invoke it with token ids. The code sees the data, the application does not.',
    command:
      "reactor react payout --arg 'card={{ card-of-c-1042 }}' --arg 'bank={{ bank-of-c-1042 }}' --arg amount=125000",
    shows: ['accepted', '125000', 'USD', 'receipt-of-payout'],
  },
  {
    title: 'The reactor created a token; read it.',
    command: 'token get receipt-of-payout --reveal --json id,type,data',
    shows: ['000123456789'],
  },
  {
    title: 'An argument that the code rejects is returned as its own error.',
    command: 'reactor react payout --arg amount=-1',
    exitCode: 2,
    shows: ['must be a positive integer of cents'],
  },
  {
    title: 'Turn deduplication on for the tenant …',
    command: 'tenant settings set deduplicate_tokens=true',
    shows: ['deduplicate_tokens'],
  },
  { title: '… and the same card returns the existing token.', command: CARD, shows: ['card-of-c-1042'] },
  { title: 'The usage report.', command: 'usage', shows: ['card', 'bank', 'token'] },
  { title: 'Delete a token.', command: 'token delete receipt-of-payout --yes' },
  {
    title: 'The deleted token is not found.',
    command: 'token get receipt-of-payout',
    exitCode: 5,
    shows: ['no token'],
  },
];

/** The exit code of a command, and what it printed; undefined if that is not known. */
export interface Shown {
  code: number | null;
  shown: string | undefined;
}

/** @throws {Error} if a step did not print what it says */
export function checkStep({ exitCode = 0, shows = [] }: Step, { code, shown }: Shown): void {
  assert.equal(code, exitCode, 'exit code');
  for (const text of shows) assert.ok(shown?.includes(text) ?? true, `no "${text}"`);
}
