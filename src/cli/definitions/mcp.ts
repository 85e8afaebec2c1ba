import { type CommandRow, defineCommand } from '../command.js';
import { SUMMARIES } from './summaries.js';

export const commands: readonly CommandRow[] = [
  defineCommand({
    name: 'mcp',
    summary: SUMMARIES.mcp,
    details:
      'Speaks the Model Context Protocol on standard input and output. An agent sees token data masked by the type of the token, whatever the key may see; --reveal changes nothing. Tools only read unless --allow-write is given. No tool detokenizes, invokes a reactor or shows a key. A service on another machine must be named with --profile.',
    flags: {
      allowWrite: { description: 'offer tools that create, change and delete' },
    },
    examples: [
      { does: 'Serve the emulator of this directory.', command: 'tokenctl mcp' },
      { does: 'Serve another service, read-only.', command: 'tokenctl mcp --profile staging' },
      { does: 'Let the agent write to the emulator.', command: 'tokenctl mcp --allow-write' },
    ],
    load: () => import('../commands/mcp.js'),
  }),
];
