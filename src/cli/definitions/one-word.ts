import { type CommandRow, defineCommand, from } from '../command.js';

const initModule = () => import('../commands/init.js');
const apiModule = () => import('../commands/api.js');
const doctorModule = () => import('../commands/doctor.js');
const verifyModule = () => import('../commands/verify.js');
const mcpModule = () => import('../commands/mcp.js');
const docsModule = () => import('../commands/docs.js');
const completionScriptsModule = () => import('../commands/completion/scripts.js');
const completionValuesModule = () => import('../commands/completion/values.js');

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const commands: readonly CommandRow[] = [
  defineCommand('init', from(initModule, 'run'), {
    details:
      'Existing files are kept as they are, unless --force is given. A directory with a manifest, for example from `tokenctl pull`, gets what is missing, without the example.',
    arguments: {
      directory: { optional: true, description: 'project directory; the current directory by default' },
    },
    flags: {
      force: { description: 'overwrite existing files' },
      ci: {
        value: 'NAME',
        choices: ['github', 'gitlab'],
        description: 'whose pipeline is written, that of GitHub by default',
      },
    },
    examples: {
      'Create a project in a new directory.': 'tokenctl init payments',
      'With a pipeline for GitLab.': 'tokenctl init payments --ci gitlab',
    },
  }),
  defineCommand('api', from(apiModule, 'run'), {
    details:
      'The method and path determine the operation and therefore which key is used. Values that may be token data are hidden unless --reveal is given. What deletes something, or ends a key, asks as its own command does.',
    arguments: {
      method: {
        suggest: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        description: 'GET, POST, PUT, PATCH or DELETE',
      },
      path: { description: 'path and query, relative to the base URL' },
    },
    flags: {
      data: { value: 'JSON|@FILE|-', description: 'request body' },
      header: { value: 'NAME: VALUE', list: true, description: 'request header' },
      confirm: {
        value: 'NAME',
        description:
          'name of the tenant to delete, or of the application of the command itself whose access ends; prompted for if missing',
      },
    },
    examples: {
      'List tokens with a filter.': `tokenctl api GET '/tokens?type=card&size=5'`,
      'Send a merge patch.': `tokenctl api PATCH /tokens/customer-1042-card --data '{"metadata":{"seen":"yes"}}'`,
    },
  }),
  defineCommand('doctor', from(doctorModule, 'run'), {
    details:
      'Checks configuration, data directory, emulator and port, then the way to the service: address, protocol, certificate, proxy, keys and permissions. No key is sent to a server that is not a tokenization service. The exit code is the one that commands have because of the problem: 7 if the service cannot be reached, 4 for a key or permission, 5 for a wrong path; 1 for anything else or several causes.',
    operations: ['applications.key'],
    flags: {
      permission: {
        value: 'PERMISSION',
        list: true,
        suggest: 'permission',
        description:
          'permission that you need; by default, all that an application of the type of the key may hold',
      },
      port: {
        value: 'N',
        integer: true,
        description: 'port that the emulator is to listen on, 8787 by default',
      },
    },
    examples: {
      'Check a limited key for what it is meant to do.':
        'tokenctl doctor --permission token:read,token:search',
      'Print only problems.': `tokenctl doctor --jq '.checks[] | select(.status != "ok")'`,
    },
  }),
  defineCommand('verify', from(verifyModule, 'run'), {
    details:
      'Sends the same requests to a temporary emulator and to the service, replaces ids, times and fingerprints by placeholders, and compares the responses. Everything it creates is deleted again. Exits 3 if the responses differ.',
    operations: [
      'tokens.create',
      'tokens.list',
      'tokens.update',
      'tokens.delete',
      'reactors.create',
      'reactors.list',
      'reactors.update',
      'reactors.delete',
      'reactors.react',
      'tenants.get',
      'tenants.usage',
    ],
    flags: {
      remote: {
        description:
          'confirm that tokens and a reactor may be created on the service; they are deleted again',
      },
    },
    examples: { 'Show the differences as a table.': 'tokenctl verify --remote --profile staging -o table' },
  }),
  defineCommand('mcp', from(mcpModule, 'run'), {
    details:
      'Speaks the Model Context Protocol on standard input and output. An agent sees token data masked by the type of the token, whatever the key may see; --reveal changes nothing. Tools only read unless --allow-write is given. No tool detokenizes, invokes a reactor or shows a key. A service on another machine must be named with --profile.',
    flags: { allowWrite: { description: 'offer tools that create, change and delete' } },
    examples: {
      'Serve the emulator of this directory.': 'tokenctl mcp',
      'Serve another service, read-only.': 'tokenctl mcp --profile staging',
      'Let the agent write to the emulator.': 'tokenctl mcp --allow-write',
    },
  }),
  defineCommand('docs', from(docsModule, 'run'), {
    details:
      'On a terminal, a page opens in the program that PAGER names, less by default. The page cli describes every command.',
    arguments: {
      topic: { optional: true, description: 'name of a page; without it, the pages are listed' },
    },
    examples: {
      'List the pages.': 'tokenctl docs',
      'Read the reference of the manifest.': 'tokenctl docs manifest',
    },
  }),
  defineCommand('completion', from(completionScriptsModule, 'run'), {
    details: `bash: add \`source <(tokenctl completion bash)\` to ~/.bashrc. zsh: the same with zsh in ~/.zshrc, after compinit. fish: \`tokenctl completion fish > ~/.config/fish/completions/tokenctl.fish\`. PowerShell: add \`tokenctl completion powershell | Out-String | Invoke-Expression\` to $PROFILE.`,
    arguments: { shell: { choices: SHELLS, description: SHELLS.join(', ') } },
    examples: { 'Enable completion in this session.': 'source <(tokenctl completion bash)' },
  }),
  defineCommand('__complete', from(completionValuesModule, 'completeWord'), {
    summary: 'Print completions for the last word; called by the completion scripts',
    hidden: true,
    arguments: {
      shell: { choices: SHELLS, description: 'shell that split the words' },
      words: {
        variadic: true,
        optional: true,
        description: 'words typed so far; the last one may be incomplete',
      },
    },
    examples: {},
  }),
];
