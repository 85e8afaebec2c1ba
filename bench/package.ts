import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installGlobally, packPackage } from '../test/support/packed-package.js';
import { atMost, type Measurement, timed } from './measurement.js';

const MEGABYTE = 1_000_000;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** N1: a global install of the packed tarball. */
export async function globalInstall(): Promise<Measurement[]> {
  const packed = await packPackage();
  try {
    const { packages, bytes } = await installGlobally(packed);
    return [
      atMost('N1', 'packages of a global install', 12, packages, ''),
      atMost('N1', 'size of a global install', 25, bytes / MEGABYTE, ' MB'),
    ];
  } finally {
    await packed.remove();
  }
}

/** T1: the whole of `npm test`. A suite that fails is measured too, since it fails elsewhere. */
export async function testSuite(): Promise<Measurement> {
  let status: number | null = null;
  const ms = await timed(() => {
    ({ status } = spawnSync('npm', ['test'], { cwd: ROOT, stdio: 'ignore' }));
  });
  return atMost('T1', 'npm test', 3, ms / 60_000, ' min', status === 0 ? '' : ' (tests failed)');
}
