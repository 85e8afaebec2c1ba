import type { CallInput } from '../../client/request.js';
import { JSON_CONTENT_TYPE } from '../../contract/headers.js';
import type { OperationId } from '../../contract/operations.js';

export interface Run {
  /** Part of the IDs, metadata and names of everything that the run creates; unique to the run. */
  mark: string;
  idOf: (step: string) => string;
}

export interface Step {
  name: string;
  operation: OperationId;
  input: (run: Run) => CallInput<OperationId>;
  /** `shape` compares types only, for values that depend on the tenant's other data. */
  compare?: 'shape';
}

/** Checks the input against the operation; the list of steps does not have its type. */
const step = <Id extends OperationId>(
  name: string,
  operation: Id,
  input: (run: Run) => CallInput<Id>,
  compare?: 'shape',
): Step => ({ name, operation, input: input as Step['input'], ...(compare && { compare }) });

const CARD = { number: '4242424242424242', expiration_month: 12, expiration_year: 2040, cvc: '123' };
const BANK = { routing_number: '021000021', account_number: '000123456789' };
const CODE = `module.exports = async ({ args, configuration }) => {
  if (args.fail) throw Object.assign(new Error('refused'), { status: 402 });
  return { raw: { length: args.text.length, mode: configuration.MODE, month: args.card.expiration_month } };
};`;

/** A tenant that deduplicates would otherwise return an existing token, which the run must not change or delete. */
const NEW_TOKEN = { deduplicate_token: false };

const textToken = ({ mark }: Run) => ({ path: { id: `${mark}-text` } });
const reactor = ({ idOf }: Run) => ({ path: { id: idOf('a reactor is created') } });

/** The calls to both services: every operation that a remote must have, and requests that it must reject. */
export const STEPS: readonly Step[] = [
  step('a card is created masked', 'tokens.create', ({ mark }) => ({
    body: { type: 'card' as const, data: CARD, metadata: { verify: mark }, ...NEW_TOKEN },
  })),
  step('a bank account is created masked', 'tokens.create', ({ mark }) => ({
    body: { type: 'bank' as const, data: BANK, metadata: { verify: mark }, ...NEW_TOKEN },
  })),
  step('a token is created with an ID, a mask and an expiration', 'tokens.create', ({ mark }) => ({
    body: {
      id: `${mark}-text`,
      type: 'token' as const,
      data: 'some text',
      mask: '{{ data | reveal_last: 4 }}',
      expires_at: '12/31/2040 1:30:00 PM +02:00',
      ...NEW_TOKEN,
    },
  })),
  step('an invalid card number is rejected', 'tokens.create', () => ({
    body: { type: 'card' as const, data: { ...CARD, number: '4242424242424241' } },
  })),
  step('an invalid routing number is rejected', 'tokens.create', () => ({
    body: { type: 'bank' as const, data: { ...BANK, routing_number: '021000022' } },
  })),
  step('an ID that is taken is rejected', 'tokens.create', ({ mark }) => ({
    body: { id: `${mark}-text`, type: 'token' as const, data: 'other text', ...NEW_TOKEN },
  })),
  step('a token is read', 'tokens.get', textToken),
  step('tokens are listed by metadata, ignoring case', 'tokens.list', ({ mark }) => ({
    query: { metadata: { verify: mark.toUpperCase() }, size: 10 },
  })),
  step('a page size of 0 is rejected', 'tokens.list', () => ({ query: { size: 0 } })),
  step('a merge patch keeps other properties', 'tokens.update', (run) => ({
    ...textToken(run),
    body: { metadata: { verify: run.mark }, expires_at: null },
  })),
  step('a patch with another content type is rejected', 'tokens.update', (run) => ({
    ...textToken(run),
    body: { metadata: { other: 'yes' } },
    headers: { 'content-type': JSON_CONTENT_TYPE },
  })),
  step('an unknown token is not found', 'tokens.get', ({ mark }) => ({ path: { id: `${mark}-none` } })),
  step('a reactor is created', 'reactors.create', ({ mark }) => ({
    body: { name: mark, code: CODE, configuration: { MODE: 'verify' } },
  })),
  step('a reactor without configuration is rejected', 'reactors.create', ({ mark }) => ({
    body: { name: mark, code: CODE } as never,
  })),
  step('a reactor is patched', 'reactors.update', (run) => ({
    ...reactor(run),
    body: { configuration: { MODE: 'patched' } },
  })),
  step('a reactor is read', 'reactors.get', reactor),
  step('reactors are listed by name', 'reactors.list', ({ mark }) => ({ query: { name: mark } })),
  step('a reactor receives token data', 'reactors.react', (run) => ({
    ...reactor(run),
    body: { args: { text: `{{ ${run.mark}-text }}`, card: `{{ ${run.idOf('a card is created masked')} }}` } },
  })),
  step('an unknown token in the arguments is rejected', 'reactors.react', (run) => ({
    ...reactor(run),
    body: { args: { text: `{{ ${run.mark}-none }}` } },
  })),
  step('an error of a reactor keeps its status', 'reactors.react', (run) => ({
    ...reactor(run),
    body: { args: { fail: true } },
  })),
  step('a timeout without a callback is rejected', 'reactors.react', (run) => ({
    ...reactor(run),
    body: { args: {}, timeout_ms: 20_000 },
  })),
  step('the tenant is read', 'tenants.get', () => ({}), 'shape'),
  step('the usage report is read', 'tenants.usage', () => ({}), 'shape'),
  step('a token is deleted', 'tokens.delete', textToken),
  step('a deleted token is not found', 'tokens.get', textToken),
  step('a reactor is deleted', 'reactors.delete', reactor),
  step('a deleted reactor is not found', 'reactors.get', reactor),
];
