import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Copies the built package to a temporary directory, which the caller may change and has to remove. */
export async function copyInstall(): Promise<string> {
  const install = await mkdtemp(join(tmpdir(), 'tokenctl-install-'));
  for (const name of ['bin', 'dist', 'package.json'])
    await cp(join(ROOT, name), join(install, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(install, 'node_modules'));
  return install;
}
