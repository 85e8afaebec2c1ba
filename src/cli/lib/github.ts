import { appendFile } from 'node:fs/promises';

export const isGitHubActions = (env: NodeJS.ProcessEnv): boolean => env.GITHUB_ACTIONS === 'true';

export async function setOutputs(outputs: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv) {
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  if (isGitHubActions(env) && env.GITHUB_OUTPUT) await appendFile(env.GITHUB_OUTPUT, lines.join(''));
}

export async function appendJobSummary(markdown: string, env: NodeJS.ProcessEnv): Promise<void> {
  if (isGitHubActions(env) && env.GITHUB_STEP_SUMMARY)
    await appendFile(env.GITHUB_STEP_SUMMARY, `${markdown}\n`);
}

/** Escapes the data of a workflow command, which is one line, as GitHub's own toolkit does. */
export const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/**
 * Keeps GitHub Actions from reading a workflow command in text from others: `::error::` at the start of a line, where the runner
 * skips white space, and `##[error]` anywhere. In JSON the result means the same.
 */
export const escapeWorkflowCommands = (text: string): string =>
  text.replace(/(^|[\r\n])((?:[^\S\r\n]|\u0085)*)::/g, '$1$2\\u003a:').replaceAll('##[', '##\\u005b');
