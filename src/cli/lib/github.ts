type Environment = Readonly<Record<string, string | undefined>>;

export const isGitHubActions = (env: Environment): boolean => env.GITHUB_ACTIONS === 'true';

/** Escapes the data of a workflow command, which is one line, as GitHub's own toolkit does. */
export const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/**
 * Keeps GitHub Actions from reading a workflow command in text from others: `::error::` at the start of a line, where the runner
 * skips white space, and `##[error]` anywhere. In JSON the result means the same.
 */
export const escapeWorkflowCommands = (text: string): string =>
  text.replace(/(^|[\r\n])((?:[^\S\r\n]|\u0085)*)::/g, '$1$2\\u003a:').replaceAll('##[', '##\\u005b');
