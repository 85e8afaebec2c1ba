import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TenantTarget, targetEnvironment } from '../client/control.js';
import { packageFile } from '../contract/files.js';

/** Limit of the output of a command, such as a plan or the report of a deployment. 16 MiB. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** A command of the CLI that failed. The message is what it wrote to stderr. */
export class CommandError extends Error {
  override name = 'CommandError';

  constructor(
    readonly exitCode: number | undefined,
    message: string,
  ) {
    super(message);
  }
}

/** A tenant, and the certificate of its emulator if that is not one of an authority. */
export interface CommandTarget extends TenantTarget {
  certificate: string | undefined;
}

/**
 * Runs a command of the CLI in a process of its own, with a tenant as its service.
 * @returns what it wrote to stdout
 * @throws {CommandError} unless it exits with 0
 */
export async function runCommand(
  args: readonly string[],
  { certificate, ...target }: CommandTarget,
  cwd?: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = {
    ...targetEnvironment(process.env, target),
    // No lock file records what is applied to a tenant that the test deletes.
    TOKENCTL_THROWAWAY_URL: target.baseUrl,
    ...variables,
  };
  if (certificate === undefined) return execute(args, env, cwd);
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-certificate-'));
  try {
    const file = join(directory, 'certificate.pem');
    await writeFile(file, certificate);
    return await execute(args, { ...env, NODE_EXTRA_CA_CERTS: file }, cwd);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function execute(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string | undefined): Promise<string> {
  // The package finds itself by its own name, as a source file and in a bundle.
  const executable = join(dirname(packageFile('tokenctl/package.json')), 'bin/tokenctl.js');
  const options = { env, maxBuffer: MAX_OUTPUT_BYTES, ...(cwd !== undefined && { cwd }) };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [executable, ...args], options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const code = typeof error.code === 'number' ? error.code : undefined;
      reject(new CommandError(code, stderr.trim() || error.message));
    });
  });
}
