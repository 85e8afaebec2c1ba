import { SCHEMA_COMMENT } from '../lib/schema-comment.js';
import { AGENTS } from './agents.js';
import { LAUNCH } from './launch.js';
import { REACTOR_TYPES } from './reactor-types.js';

export interface ScaffoldFile {
  /** Relative to the project, with forward slashes. */
  path: string;
  text: string;
  /** A file that a project may already have is left as it is, even with --force. */
  keepsExisting?: boolean;
  /** Part of what the new manifest declares; a project that has a manifest does not get it. */
  isExample?: boolean;
}

const MANIFEST = `${SCHEMA_COMMENT}
#
# What the tenant should contain. \`tokenctl plan\` shows what applying this would change, \`tokenctl apply\` does it.
# Commit this file and the files that apply writes next to it, tokenctl.*lock.json and tokenctl.*versions.

applications:
  # The permissions that the code of the reactor has.
  - name: payments
    type: private
    permissions: ['token:create']

reactors:
  - name: charge
    code: reactors/charge.ts
    application: payments
    configuration:
      CURRENCY: USD
      # A secret is a reference to where it is kept:
      # PROCESSOR_KEY: \${env:PROCESSOR_KEY}

# \`tokenctl plan --environment staging\`. The service is that of the profile (\`tokenctl profile add staging\`), or in a
# pipeline that of TOKENCTL_BASE_URL. Values override those above.
environments:
  staging:
    profile: staging
  production:
    profile: production
`;

const REACTOR = `import { BadRequestError } from 'svc-reactor-errors';

// The types of args, configuration and result come from the test cases: tokenctl reactor types
const charge: Reactor<'charge'> = async ({ args, configuration }) => {
  // \`card\` is sent as the expression {{ <token id> }} and received as the token's data; \`amount\` is in cents.
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

export const CHARGE_TESTS = {
  configuration: { CURRENCY: 'USD' },
  tokens: [
    {
      id: 'test-card',
      type: 'card' as const,
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
      name: 'rejects an amount of 0',
      args: { card: '{{ test-card }}', amount: 0 },
      error: { status: 400, errors: { amount: ['must be a positive integer of cents'] } },
    },
  ],
};

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

/** What the types of reactors need. */
export const TYPE_PACKAGES = { typescript: '^5.9.0', '@types/node': '^20.19.0' };

const packageFile = (tokenctl: string): string =>
  json({
    private: true,
    scripts: { test: 'tokenctl reactor test' },
    devDependencies: { tokenctl, ...TYPE_PACKAGES },
  });

const GITIGNORE = `node_modules/
# The data and keys of the emulator.
.tokenctl/
# Configuration values. Env files with names only may be committed under another extension.
.env
*.local.env
# Plans contain code; checkpoints contain the progress of imports.
plan*.json
plan*.md
*.checkpoint
`;

/**
 * Returns the files that `tokenctl init` writes.
 * @param tokenctl what package.json names to install tokenctl
 * @param types what `tokenctl reactor types` writes
 */
export const scaffoldFiles = (
  tokenctl: string,
  types: string,
  pipeline: ScaffoldFile,
): readonly ScaffoldFile[] => [
  { path: 'tokenctl.yaml', text: MANIFEST, isExample: true },
  { path: 'reactors/charge.ts', text: REACTOR, isExample: true },
  { path: 'reactors/charge.test.json', text: json(CHARGE_TESTS), isExample: true },
  { path: 'types/reactor.d.ts', text: REACTOR_TYPES },
  { path: 'types/reactors.d.ts', text: types },
  { path: 'tsconfig.json', text: TSCONFIG },
  { path: 'package.json', text: packageFile(tokenctl), keepsExisting: true },
  { path: 'AGENTS.md', text: AGENTS, keepsExisting: true },
  { path: '.vscode/launch.json', text: json(LAUNCH), keepsExisting: true },
  { path: '.gitignore', text: GITIGNORE },
  pipeline,
];
