import assert from 'node:assert/strict';
import { matchJson } from '../../src/cli/lib/json-match.js';
import type { Ran } from '../support/executable.js';

/** A step of the demo: what a user types, and what comes of it. `<name>` stands for an id of an earlier step. */
export interface Step {
  title: string;
  command: string;
  /** The exit code; default 0. */
  exitCode?: number;
  /** A part of the JSON on stdout. */
  json?: object;
  /** Texts of what is printed. */
  shows?: string[];
  /** Names for ids that later steps use, with their paths in the JSON. */
  keeps?: Record<string, string>;
}

const CARD = 'token create --type card --data @fixtures/demo/card.json';
const DEPLOY = 'reactor deploy fixtures/demo/payout.js --config CURRENCY=USD --output table';

export const STORY: Step[] = [
  {
    title: 'Store a card. The response shows it masked.',
    command: `${CARD} --metadata customer=C-1042`,
    json: { data: { number: 'XXXXXXXXXXXX4242', expiration_month: 12, expiration_year: 2031 } },
    keeps: { card: 'id' },
  },
  {
    title: 'Store a bank account, field by field.',
    command:
      'token create --type bank --field routing_number=021000021 --field account_number=000123456789 --metadata customer=C-1042',
    json: { data: { routing_number: '021000021', account_number: 'XXXXXXXX6789' } },
    keeps: { bank: 'id' },
  },
  {
    title: 'A routing number with a wrong checksum is rejected.',
    command: 'token create --type bank --field routing_number=021000022 --field account_number=000123456789',
    exitCode: 2,
    shows: ['data.routing_number', 'checksum'],
  },
  {
    title: 'List the tokens of the customer (metadata values match case-insensitively).',
    command: 'token list --metadata customer=c-1042 --output table',
    shows: ['<card>', '<bank>'],
  },
  {
    title: 'Patch a token: a merge patch leaves the other fields unchanged.',
    command: 'token update <bank> --metadata verified=yes --json id,metadata,modified_at',
    json: { metadata: { customer: 'C-1042', verified: 'yes' } },
  },
  {
    title: 'Deploy a reactor from a file.',
    command: DEPLOY,
    shows: ['created    reactor payout'],
  },
  {
    title: 'Deploy it again: nothing changes.',
    command: DEPLOY,
    shows: ['unchanged  reactor payout'],
  },
  {
    title: 'Invoke it with token ids. The code sees the data, the application does not.',
    command: "reactor react payout --arg 'card={{ <card> }}' --arg 'bank={{ <bank> }}' --arg amount=125000",
    json: { raw: { status: 'accepted', amount: 125000, currency: 'USD' } },
    keeps: { receipt: 'tokens.receipt.id' },
  },
  {
    title: 'The reactor created a token; read it.',
    command: 'token get <receipt> --reveal --json id,type,data',
    json: { data: { paid_to: '000123456789' } },
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
  {
    title: '… and the same card returns the existing token.',
    command: `${CARD} --json id,fingerprint`,
    json: { id: '<card>' },
  },
  {
    title: 'The usage report.',
    command: 'usage --output table',
    shows: ['card', 'bank', 'token'],
  },
  { title: 'Delete a token.', command: 'token delete <receipt> --yes' },
  { title: 'The deleted token is not found.', command: 'token get <receipt>', exitCode: 5 },
];

/** The ids of a telling of the story, by the names that its steps keep them under. */
export class Notes {
  readonly #ids = new Map<string, string>();

  /** Replaces the names of ids in a text. */
  fill(text: string): string {
    return text.replace(/<(\w+)>/g, (whole, name: string) => this.#ids.get(name) ?? whole);
  }

  /** Checks what a step printed, and keeps its ids. @throws {Error} if it is not what the step says */
  check({ exitCode = 0, json, shows = [], keeps = {} }: Step, ran: Ran): void {
    assert.equal(ran.code, exitCode, 'exit code');
    for (const text of shows) assert.ok((ran.stdout + ran.stderr).includes(this.fill(text)), `no "${text}"`);
    const due = JSON.parse(this.fill(JSON.stringify(json ?? {})));
    if (json) assert.deepEqual(matchJson(due, ran.json, { partial: true }), []);
    for (const [name, path] of Object.entries(keeps))
      this.#ids.set(
        name,
        path.split('.').reduce((value, key) => value?.[key], ran.json),
      );
  }
}
