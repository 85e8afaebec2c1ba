// The command table. Goals S1 and S2: a process loads the definitions of the noun that is typed, and `--help` none.
import type { CommandDefinitions, CommandRow } from '../command.js';

type Load = () => Promise<{ commands: readonly CommandRow[] }>;

const token: Load = () => import('./token.js');
const tokenIntent: Load = () => import('./token-intent.js');
const encryptionKey: Load = () => import('./encryption-key.js');
const session: Load = () => import('./session.js');
const reactor: Load = () => import('./reactor/operations.js');
const tenant: Load = () => import('./tenant.js');
const tenantConfig: Load = () => import('./tenant-config.js');
const application: Load = () => import('./application.js');
const proxy: Load = () => import('./proxy.js');
const webhook: Load = () => import('./webhook.js');
const emulator: Load = () => import('./emulator/run.js');
const oneWord: Load = () => import('./one-word.js');
const auth: Load = () => import('./auth.js');

interface FirstWord {
  /** Its line in the help text, which lists it; a command without a noun states none of its own. */
  summary?: string;
  load: Load;
}

/** Each noun, and each command without one, by the heading that the help text has for it. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, FirstWord>>>> = {
  Tokens: {
    token: { summary: 'Store, read and change tokens', load: token },
    'token-intent': { summary: 'Store data that can become a token within 24 hours', load: tokenIntent },
    'encryption-key': { summary: 'Keys that clients encrypt token data with', load: encryptionKey },
    tokenize: { summary: 'Tokenize any JSON document, all or nothing', load: token },
    detokenize: { summary: 'Replace the detokenization expressions in any JSON document', load: token },
  },
  'Code and connections': {
    reactor: { summary: 'Deploy and invoke code that receives detokenized arguments', load: reactor },
    proxy: { summary: 'Send requests with token data to other services', load: proxy },
    webhook: { summary: 'Subscribe URLs to events, and forward events to this machine', load: webhook },
    event: { summary: 'List and resend recent events of the emulator', load: webhook },
  },
  'The tenant as code': {
    init: { summary: 'Create a project: reactor, test, manifest, CI workflow', load: oneWord },
    plan: { summary: 'Show what applying the manifest would change', load: tenantConfig },
    apply: { summary: 'Apply the manifest to the tenant, or a plan file', load: tenantConfig },
    diff: { summary: 'Show how the tenant differs from the manifest', load: tenantConfig },
    adopt: { summary: 'Record existing objects in the lock file without changing them', load: tenantConfig },
    pull: { summary: 'Write the manifest of an existing tenant', load: tenantConfig },
    manifest: { summary: 'Show what the manifest declares for an environment', load: tenantConfig },
    lock: { summary: 'Keep what applies recorded in a Git branch', load: tenantConfig },
  },
  'Tenant and access': {
    tenant: { summary: 'Show and change the tenant', load: tenant },
    usage: { summary: 'Show the usage report: tokens per type and use of the plan', load: tenant },
    application: { summary: 'Manage API keys and their permissions', load: application },
    session: { summary: 'Open keys for pages, and grant them access', load: session },
    permission: { summary: 'List permissions', load: application },
    log: { summary: 'Read the audit log: who read, revealed or changed what', load: tenant },
  },
  'This machine': {
    emulator: { summary: 'Run the service on this machine', load: emulator },
    dev: { summary: 'Run an application with the emulator, the manifest and events', load: emulator },
    auth: { summary: 'Store API keys and check their permissions', load: auth },
    profile: { summary: 'Manage named connections', load: auth },
    doctor: { summary: 'Find problems with this setup and show how to fix them', load: oneWord },
    verify: { summary: 'Compare the behavior of the service with the emulator', load: oneWord },
    api: { summary: 'Send a raw API request', load: oneWord },
    mcp: { summary: 'Serve the operations as tools to an AI agent, data masked', load: oneWord },
    docs: { summary: 'Read the documentation, offline', load: oneWord },
    completion: { summary: 'Print a shell completion script', load: oneWord },
  },
};

const WORDS: Readonly<Record<string, FirstWord>> = {
  ...Object.fromEntries(Object.values(GROUPS).flatMap((words) => Object.entries(words))),
  __complete: { load: oneWord },
};

export const HEADINGS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(GROUPS).flatMap(([heading, words]) =>
    Object.keys(words).map((word) => [word, `${heading}:`]),
  ),
);

const NOUNS_BELOW: Readonly<Record<string, string>> = {
  'tenant settings': 'Show and change the settings of the tenant',
  'application key': 'Manage several keys of an application',
  'emulator access': 'Find out the least access that an application needs',
  'emulator clock': "Control the emulator's clock",
  'emulator fault': 'Inject faults',
  'emulator origin': 'Control which web pages may call the service',
  'emulator requests': 'List and verify recent requests',
  'emulator snapshot': 'Save and restore named copies of all data',
  'emulator tenant': 'Export and import a whole tenant as one JSON file',
};

export const SUMMARIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(WORDS).flatMap(([word, { summary }]) => (summary ? [[word, summary]] : [])),
  ),
  ...NOUNS_BELOW,
};

export const FIRST_WORDS: readonly string[] = Object.keys(WORDS);

export async function loadCommands(firstWords: readonly string[]): Promise<CommandRow[]> {
  const loaders = new Set(firstWords.flatMap((word) => WORDS[word]?.load ?? []));
  const modules = await Promise.all([...loaders].map((load) => load()));
  return modules.flatMap(({ commands }) =>
    commands.map((row) => ({ ...row, summary: WORDS[row.name]?.summary ?? row.summary })),
  );
}

export async function loadDefinitions(): Promise<CommandDefinitions> {
  const commands = await loadCommands(FIRST_WORDS);
  const rank = ({ name }: CommandRow) => FIRST_WORDS.indexOf(name.replace(/ .*/, ''));
  return { commands: commands.sort((a, b) => rank(a) - rank(b)), summaries: SUMMARIES };
}
