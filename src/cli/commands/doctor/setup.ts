import { stat } from 'node:fs/promises';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { Context } from '../../command.js';
import { readProjectTarget } from '../../config/project-file.js';
import { configPath, readUserConfig } from '../../config/user-config.js';
import { type CheckResult, failedCheck, passed, problem } from './check.js';

/** Permission bits of users other than the owner. */
const OTHERS = 0o077;

/** Reports the versions. The executable itself refuses a Node.js that is too old. */
export async function checkNode(): Promise<CheckResult[]> {
  const { version } = packageJson;
  const { versions, platform, arch } = process;
  return [passed('tokenctl', `${version} on Node.js ${versions.node}, ${platform} ${arch}`)];
}

/** Checks the user configuration: that it can be read, only by its owner, and has the current profile. */
export async function checkConfiguration({ settings }: Context): Promise<CheckResult[]> {
  const check = 'configuration';
  const path = configPath(settings.configDir);
  const found = await stat(path).catch(() => undefined);
  if (!found) return [passed(check, `none at ${path}`)];
  try {
    const { profiles, current } = await readUserConfig(settings.configDir);
    const names = Object.keys(profiles);
    if (current !== undefined && !names.includes(current)) {
      const fix =
        names[0] === undefined ? `tokenctl profile add ${current}` : `tokenctl profile use ${names[0]}`;
      return [problem(check, 'usage', `the current profile ${current} does not exist`, fix)];
    }
    if (settings.platform !== 'win32' && (found.mode & OTHERS) !== 0)
      return [
        problem(check, 'failed', `other users can read ${path}, which holds keys`, `chmod 600 ${path}`),
      ];
    return [passed(check, `${path}, profiles: ${names.join(', ') || 'none'}`)];
  } catch (error) {
    return [failedCheck(check, error)];
  }
}

/** Checks the project file of this directory, if there is one. */
export async function checkProject({ settings }: Context): Promise<CheckResult[]> {
  const check = 'project file';
  try {
    const project = await readProjectTarget(settings.cwd);
    return project ? [passed(check, project.path)] : [];
  } catch (error) {
    return [failedCheck(check, error)];
  }
}
