import { stat } from 'node:fs/promises';
import packageJson from '../../../../package.json' with { type: 'json' };
import { readProjectTarget } from '../../config/project-file.js';
import { configPath, readUserConfig } from '../../config/user-config.js';
import { CliError } from '../../lib/errors.js';
import type { Check } from './check.js';

/** Permission bits of users other than the owner. */
const OTHERS = 0o077;

export const checkNode: Check = async () => [
  {
    check: 'tokenctl',
    status: 'ok',
    detail: `${packageJson.version} on Node.js ${process.versions.node}, ${process.platform} ${process.arch}`,
  },
];

export const checkConfiguration: Check = async ({ settings }) => {
  const path = configPath(settings.configDir);
  const check = 'configuration';
  const found = await stat(path).catch(() => undefined);
  if (!found) return [{ check, status: 'ok', detail: `none at ${path}` }];
  try {
    const { profiles, current } = await readUserConfig(settings.configDir);
    const names = Object.keys(profiles);
    if (current !== undefined && !names.includes(current))
      return [
        {
          check,
          status: 'problem',
          detail: `the current profile ${current} does not exist`,
          fix: 'tokenctl profile use NAME',
        },
      ];
    if (settings.platform !== 'win32' && (found.mode & OTHERS) !== 0)
      return [
        {
          check,
          status: 'problem',
          detail: `other users can read ${path}, which contains keys`,
          fix: `chmod 600 ${path}`,
        },
      ];
    return [{ check, status: 'ok', detail: `${path}, profiles: ${names.join(', ') || 'none'}` }];
  } catch (error) {
    return [{ check, status: 'problem', detail: messageOf(error), fix: `Repair or remove ${path}.` }];
  }
};

export const checkProject: Check = async ({ settings }) => {
  const check = 'project file';
  try {
    const project = await readProjectTarget(settings.cwd);
    return project ? [{ check, status: 'ok', detail: project.path }] : [];
  } catch (error) {
    return [{ check, status: 'problem', detail: messageOf(error), fix: 'See docs/cli.md for its format.' }];
  }
};

function messageOf(error: unknown): string {
  return error instanceof CliError ? error.failure.detail : (error as Error).message;
}
