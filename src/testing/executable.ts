import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Credentials } from '../contract/control/state-file.js';

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

/** Where the command finds the service and its keys. */
interface Target extends Credentials {
  baseUrl: string;
  headerPrefix?: string | undefined;
}

/**
 * Runs a command of the CLI in a process of its own, with a tenant as its service.
 * @returns what it wrote to stdout
 * @throws {CommandError} unless it exits with 0
 */
export function runCommand(args: readonly string[], target: Target, cwd?: string): Promise<string> {
  const executable = join(dirname(packageFile()), 'bin/tokenctl.js');
  const options = {
    env: environmentOf(target),
    maxBuffer: MAX_OUTPUT_BYTES,
    ...(cwd !== undefined && { cwd }),
  };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [executable, ...args], options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const code = typeof error.code === 'number' ? error.code : undefined;
      reject(new CommandError(code, stderr.trim() || error.message));
    });
  });
}

/** The package finds itself by its own name, as a source file and in a bundle. */
function packageFile(): string {
  return createRequire(import.meta.url).resolve('tokenctl/package.json');
}

function environmentOf({
  baseUrl,
  keys,
  tenant_id,
  webhook_secret,
  headerPrefix,
}: Target): NodeJS.ProcessEnv {
  const { TOKENCTL_API_KEY: _key, TOKENCTL_PROFILE: _profile, ...rest } = process.env;
  return {
    ...rest,
    TOKENCTL_BASE_URL: baseUrl,
    TOKENCTL_MANAGEMENT_KEY: keys.management,
    TOKENCTL_PRIVATE_KEY: keys.private,
    TOKENCTL_PUBLIC_KEY: keys.public,
    TOKENCTL_TENANT_ID: tenant_id,
    TOKENCTL_WEBHOOK_SECRET: webhook_secret,
    // No lock file records what is applied to a tenant that the test deletes.
    TOKENCTL_THROWAWAY_URL: baseUrl,
    ...(headerPrefix !== undefined && { TOKENCTL_HEADER_PREFIX: headerPrefix }),
  };
}
