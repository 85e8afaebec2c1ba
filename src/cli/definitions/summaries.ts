/** A line for every noun, and for every command without one, in the order of the help text. */
export const SUMMARIES = {
  token: 'Store, read and change tokens',
  tokenize: 'Tokenize any JSON document, all or nothing',
  detokenize: 'Replace the detokenization expressions in any JSON document',
  reactor: 'Deploy and invoke code that receives detokenized arguments',
  init: 'Create a project: a TypeScript reactor, its test, a manifest and a CI workflow',
  plan: 'Show what applying the manifest would change',
  apply: 'Apply the manifest to the tenant, or a plan file',
  diff: 'Show how the tenant differs from the manifest',
  adopt: 'Record existing objects in the lock file without changing them',
  pull: 'Write the manifest of an existing tenant',
  tenant: 'Show and change the tenant',
  'tenant settings': 'Show and change the settings of the tenant',
  usage: 'Show the usage report: tokens per type and use of the plan',
  application: 'Manage API keys and their permissions',
  'application key': 'Manage several keys of an application',
  permission: 'List permissions',
  log: 'Read the audit log: who read, revealed or changed what',
  api: 'Send a raw API request',
  proxy: 'Send requests with token data to other services',
  webhook: 'Subscribe URLs to events, and forward events to this machine',
  event: 'List and resend recent events of the emulator',
  emulator: 'Run the service on this machine',
  'emulator access': 'Find out the least access that an application needs',
  'emulator clock': "Control the emulator's clock",
  'emulator fault': 'Inject faults',
  'emulator origin': 'Control which web pages may call the service',
  'emulator requests': 'List and verify recent requests',
  'emulator snapshot': 'Save and restore named copies of all data',
  'emulator tenant': 'Export and import a whole tenant as one JSON file',
  auth: 'Store API keys and check their permissions',
  profile: 'Manage named connections',
  doctor: 'Find problems with this setup and show how to fix them',
  verify: 'Compare the behavior of the service with the emulator',
  mcp: 'Serve the operations as tools to an AI agent, token data masked',
  docs: 'Read the documentation, offline',
  completion: 'Print a shell completion script',
} as const;

/** Returns the summary of a noun, or of a command without one. */
export function summaryOf(words: string): string {
  return (SUMMARIES as Readonly<Record<string, string>>)[words] ?? '';
}
