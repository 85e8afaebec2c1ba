import { REACTOR_TYPES } from './reactor-types.js';
import { WORKFLOW } from './workflow.js';

/** A file of a new project. */
export interface StarterFile {
  /** Relative to the project, with forward slashes. */
  path: string;
  text: string;
}

const MANIFEST = `# What \`tokenctl reactor deploy\` deploys. Commit this file and the tokenctl.lock.json that deploy writes beside it.
# Which service: profile or base_url here, or --profile, TOKENCTL_BASE_URL, or the emulator of this directory.
# profile: staging

reactors:
  - name: charge
    code: reactors/charge.ts
    configuration:
      CURRENCY: USD
    # Keys do not belong here. NAME alone in an env file takes the value from the environment:
    # env_file: reactors/charge.env
    # The application whose permissions the code has as \`svc\`, by name or id:
    # application: payments
`;

const REACTOR = `import { BadRequestError } from 'svc-reactor-errors';

interface Args {
  /** A token of type card: { "card": "{{ <token id> }}" }. The code sees its data. */
  card: { number: string };
  /** In cents. */
  amount: number;
}

const charge: Reactor<Args> = async ({ args, configuration }) => {
  const { card, amount } = args;
  if (!Number.isInteger(amount) || amount <= 0) {
    throw new BadRequestError({ amount: ['must be a positive integer of cents'] });
  }
  console.info('charging', amount, configuration.CURRENCY);
  return {
    raw: { status: 'accepted', amount, currency: configuration.CURRENCY, last4: card.number.slice(-4) },
    tokenize: { receipt: { type: 'token', data: { number: card.number, amount } } },
  };
};

export default charge;
`;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const TESTS = json({
  configuration: { CURRENCY: 'USD' },
  tokens: [
    {
      id: 'test-card',
      type: 'card',
      data: { number: '4242424242424242', expiration_month: 12, expiration_year: 2031 },
    },
  ],
  cases: [
    {
      name: 'charges a card',
      args: { card: '{{ test-card }}', amount: 1999 },
      result: {
        raw: { status: 'accepted', amount: 1999, currency: 'USD', last4: '4242' },
        tokens: { receipt: { id: { $type: 'string' }, type: 'token' } },
      },
    },
    {
      name: 'refuses an amount of nothing',
      args: { card: '{{ test-card }}', amount: 0 },
      error: { status: 400, errors: { amount: ['must be a positive integer of cents'] } },
    },
  ],
});

const TSCONFIG = json({
  compilerOptions: {
    target: 'es2021',
    lib: ['es2021'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ['reactors', 'types'],
});

const GITIGNORE = `node_modules/
# The emulator's data and keys.
.tokenctl/
# Values of configurations; files with names alone may be committed under another ending.
.env
*.local.env
# Plans hold the code, checkpoints how far an import has come.
plan.json
*.checkpoint
`;

/** What `tokenctl init` writes. */
export const STARTER_FILES: readonly StarterFile[] = [
  { path: 'tokenctl.yaml', text: MANIFEST },
  { path: 'reactors/charge.ts', text: REACTOR },
  { path: 'reactors/charge.test.json', text: TESTS },
  { path: 'types/reactor.d.ts', text: REACTOR_TYPES },
  { path: 'tsconfig.json', text: TSCONFIG },
  { path: '.gitignore', text: GITIGNORE },
  { path: '.github/workflows/reactors.yml', text: WORKFLOW },
];
