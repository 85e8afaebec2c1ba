import { type CommandRow, defineCommand } from '../command.js';
import { SUMMARIES } from './summaries.js';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const commands: readonly CommandRow[] = [
  defineCommand({
    name: 'completion',
    summary: SUMMARIES.completion,
    details: `bash: add \`source <(tokenctl completion bash)\` to ~/.bashrc. zsh: the same with zsh in ~/.zshrc, after compinit. fish: \`tokenctl completion fish > ~/.config/fish/completions/tokenctl.fish\`. PowerShell: add \`tokenctl completion powershell | Out-String | Invoke-Expression\` to $PROFILE.`,
    arguments: { shell: { choices: SHELLS, description: SHELLS.join(', ') } },
    examples: [{ does: 'Enable completion in this session.', command: 'source <(tokenctl completion bash)' }],
    load: () => import('../commands/completion.js'),
  }),
  defineCommand({
    name: '__complete',
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
    examples: [],
    load: () => import('../commands/complete.js'),
  }),
];
